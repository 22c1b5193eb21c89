// The second queue family: its queue is the driver's one, behind a lock; its index means nothing to
// the driver.
#include <cstdlib>
#include <cstring>

#include "layer.h"

namespace test_layer {
namespace {

// Between families the driver knows no difference.
uint32_t DriverFamily(const Device& device, uint32_t family) {
  return family == device.added.family ? 0 : family;
}

VKAPI_ATTR void VKAPI_CALL GetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index,
                                          VkQueue* queue) {
  Device& device = DeviceOf(handle);
  if (family != device.added.family)
    return NEXT(device, vkGetDeviceQueue)(handle, family, index, queue);
  *queue = reinterpret_cast<VkQueue>(&device.second);
}
VKAPI_ATTR void VKAPI_CALL GetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2* info,
                                           VkQueue* queue) {
  Device& device = DeviceOf(handle);
  if (info->queueFamilyIndex != device.added.family)
    return NEXT(device, vkGetDeviceQueue2)(handle, info, queue);
  *queue = reinterpret_cast<VkQueue>(&device.second);
}

// The driver's queue, locked while this lives.
struct Locked {
  explicit Locked(VkQueue queue)
      : device(DeviceOf(queue)),
        guard(device.queue_lock),
        handle(device.IsSecond(queue) ? device.queue : queue) {}
  Device& device;
  std::lock_guard<std::mutex> guard;
  const VkQueue handle;
};

// GPUSAN_TEST_SUBMIT_FAILS=2,5: the submissions with these numbers, from 1 on, fail for want of
// memory, and do nothing.
bool SubmitFails() {
  static const char* next = std::getenv("GPUSAN_TEST_SUBMIT_FAILS");
  static int number = 0;
  ++number;
  if (next == nullptr || std::atoi(next) != number) return false;
  next = std::strchr(next, ',');
  if (next != nullptr) ++next;
  return true;
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                           VkFence fence) {
  const Locked locked(queue);
  if (SubmitFails()) return VK_ERROR_OUT_OF_HOST_MEMORY;
  return NEXT(locked.device, vkQueueSubmit)(locked.handle, count, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit2(VkQueue queue, uint32_t count,
                                            const VkSubmitInfo2* infos, VkFence fence) {
  const Locked locked(queue);
  if (SubmitFails()) return VK_ERROR_OUT_OF_HOST_MEMORY;
  return NEXT(locked.device, vkQueueSubmit2)(locked.handle, count, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit2Khr(VkQueue queue, uint32_t count,
                                               const VkSubmitInfo2* infos, VkFence fence) {
  const Locked locked(queue);
  if (SubmitFails()) return VK_ERROR_OUT_OF_HOST_MEMORY;
  return NEXT(locked.device, vkQueueSubmit2KHR)(locked.handle, count, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL QueueBindSparse(VkQueue queue, uint32_t count,
                                               const VkBindSparseInfo* infos, VkFence fence) {
  const Locked locked(queue);
  return NEXT(locked.device, vkQueueBindSparse)(locked.handle, count, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL QueueWaitIdle(VkQueue queue) {
  const Locked locked(queue);
  return NEXT(locked.device, vkQueueWaitIdle)(locked.handle);
}
// GPUSAN_TEST_PRESENT_FAILS=1: the first one fails for want of memory, and does nothing.
VKAPI_ATTR VkResult VKAPI_CALL QueuePresent(VkQueue queue, const VkPresentInfoKHR* info) {
  static bool fails = std::getenv("GPUSAN_TEST_PRESENT_FAILS") != nullptr;
  const Locked locked(queue);
  if (fails) {
    fails = false;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  return NEXT(locked.device, vkQueuePresentKHR)(locked.handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateCommandPool(VkDevice handle,
                                                 const VkCommandPoolCreateInfo* info,
                                                 const VkAllocationCallbacks* allocator,
                                                 VkCommandPool* pool) {
  Device& device = DeviceOf(handle);
  VkCommandPoolCreateInfo changed = *info;
  changed.queueFamilyIndex = DriverFamily(device, info->queueFamilyIndex);
  return NEXT(device, vkCreateCommandPool)(handle, &changed, allocator, pool);
}

// What two families share is exclusive to the driver's one.
template <typename Info>
Info Unshared(const Device& device, const Info& info) {
  Info changed = info;
  if (device.added.family != kNone && info.sharingMode == VK_SHARING_MODE_CONCURRENT) {
    changed.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    changed.queueFamilyIndexCount = 0;
    changed.pQueueFamilyIndices = nullptr;
  }
  return changed;
}
VKAPI_ATTR VkResult VKAPI_CALL CreateBuffer(VkDevice handle, const VkBufferCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkBuffer* buffer) {
  Device& device = DeviceOf(handle);
  const VkBufferCreateInfo changed = Unshared(device, *info);
  return NEXT(device, vkCreateBuffer)(handle, &changed, allocator, buffer);
}
VKAPI_ATTR VkResult VKAPI_CALL CreateImage(VkDevice handle, const VkImageCreateInfo* info,
                                           const VkAllocationCallbacks* allocator, VkImage* image) {
  Device& device = DeviceOf(handle);
  const VkImageCreateInfo changed = Unshared(device, *info);
  return NEXT(device, vkCreateImage)(handle, &changed, allocator, image);
}

// A transfer between the families is an ordinary barrier to the driver. Its two halves both change
// the layout, which means nothing to a CPU driver.
template <typename Barrier>
std::vector<Barrier> Joined(const Device& device, uint32_t count, const Barrier* barriers) {
  std::vector<Barrier> changed(barriers, barriers + count);
  for (Barrier& barrier : changed) {
    if (barrier.srcQueueFamilyIndex == device.added.family ||
        barrier.dstQueueFamilyIndex == device.added.family)
      barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  }
  return changed;
}

VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags source,
                                              VkPipelineStageFlags target, VkDependencyFlags flags,
                                              uint32_t memory_count, const VkMemoryBarrier* memory,
                                              uint32_t buffer_count,
                                              const VkBufferMemoryBarrier* buffers,
                                              uint32_t image_count,
                                              const VkImageMemoryBarrier* images) {
  Device& device = DeviceOf(commands);
  const auto changed_buffers = Joined(device, buffer_count, buffers);
  const auto changed_images = Joined(device, image_count, images);
  NEXT(device, vkCmdPipelineBarrier)
  (commands, source, target, flags, memory_count, memory, buffer_count, changed_buffers.data(),
   image_count, changed_images.data());
}
template <typename Next>
void Barrier2(Device& device, VkCommandBuffer commands, const VkDependencyInfo& info, Next next) {
  const auto buffers = Joined(device, info.bufferMemoryBarrierCount, info.pBufferMemoryBarriers);
  const auto images = Joined(device, info.imageMemoryBarrierCount, info.pImageMemoryBarriers);
  VkDependencyInfo changed = info;
  changed.pBufferMemoryBarriers = buffers.data();
  changed.pImageMemoryBarriers = images.data();
  next(commands, &changed);
}
VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier2(VkCommandBuffer commands,
                                               const VkDependencyInfo* info) {
  Device& device = DeviceOf(commands);
  Barrier2(device, commands, *info, NEXT(device, vkCmdPipelineBarrier2));
}
VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier2Khr(VkCommandBuffer commands,
                                                  const VkDependencyInfo* info) {
  Device& device = DeviceOf(commands);
  Barrier2(device, commands, *info, NEXT(device, vkCmdPipelineBarrier2KHR));
}

}  // namespace

#define OWN(name, function) \
  { #name, reinterpret_cast < PFN_vkVoidFunction>(&function) }
const Function kQueueFunctions[] = {
    OWN(vkGetDeviceQueue, GetDeviceQueue),
    OWN(vkGetDeviceQueue2, GetDeviceQueue2),
    OWN(vkQueueSubmit, QueueSubmit),
    OWN(vkQueueSubmit2, QueueSubmit2),
    OWN(vkQueueSubmit2KHR, QueueSubmit2Khr),
    OWN(vkQueueBindSparse, QueueBindSparse),
    OWN(vkQueueWaitIdle, QueueWaitIdle),
    OWN(vkQueuePresentKHR, QueuePresent),
    OWN(vkCreateCommandPool, CreateCommandPool),
    OWN(vkCreateBuffer, CreateBuffer),
    OWN(vkCreateImage, CreateImage),
    OWN(vkCmdPipelineBarrier, CmdPipelineBarrier),
    OWN(vkCmdPipelineBarrier2, CmdPipelineBarrier2),
    OWN(vkCmdPipelineBarrier2KHR, CmdPipelineBarrier2Khr),
    {nullptr, nullptr},
};

}  // namespace test_layer
