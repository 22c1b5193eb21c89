// A frame loop over queues of two families: one fills a buffer and copies the results of the frame
// before, the other computes. Both buffers change their owner in both directions, ordered by two
// timelines, and the host waits for the frame before the last one only.
#include "common/vulkan_compute.h"
#include "common/vulkan_timeline.h"

namespace {

constexpr int kRing = 2;

// One queue with a command pool and a command buffer for each frame in flight.
struct Lane {
  uint32_t family;
  VkQueue queue;
  VkSemaphore done;
  VkCommandPool pools[kRing];
  VkCommandBuffer buffers[kRing];
};

Lane MakeLane(uint32_t of, VkQueue on) {
  Lane lane = {of, on, MakeTimeline(), {}, {}};
  for (int i = 0; i < kRing; ++i) {
    VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    info.queueFamilyIndex = of;
    OK(vkCreateCommandPool(device, &info, nullptr, &lane.pools[i]));
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = lane.pools[i];
    allocate.commandBufferCount = 1;
    OK(vkAllocateCommandBuffers(device, &allocate, &lane.buffers[i]));
  }
  return lane;
}

// Begins the command buffer of the frame, which is not pending.
VkCommandBuffer Start(const Lane& lane, uint64_t frame) {
  OK(vkResetCommandPool(device, lane.pools[frame % kRing], 0));
  VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  OK(vkBeginCommandBuffer(lane.buffers[frame % kRing], &info));
  return lane.buffers[frame % kRing];
}

// Ends it, and submits it behind a value of the other queue. `stages`: those that wait.
void Finish(const Lane& lane, uint64_t frame, const Lane& other, uint64_t value,
            VkPipelineStageFlags2 stages) {
  OK(vkEndCommandBuffer(lane.buffers[frame % kRing]));
  const VkSemaphoreSubmitInfo wait = {
      VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, other.done, value, stages, 0};
  const VkSemaphoreSubmitInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        nullptr,
                                        lane.done,
                                        frame,
                                        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                        0};
  const VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr,
                                            lane.buffers[frame % kRing], 0};
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.waitSemaphoreInfoCount = value != 0 ? 1 : 0;
  info.pWaitSemaphoreInfos = &wait;
  info.commandBufferInfoCount = info.signalSemaphoreInfoCount = 1;
  info.pCommandBufferInfos = &buffer;
  info.pSignalSemaphoreInfos = &signal;
  OK(vkQueueSubmit2(lane.queue, 1, &info, VK_NULL_HANDLE));
}

struct Scope {
  VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
  VkAccessFlags2 access = VK_ACCESS_2_NONE;
};

// One half of a transfer between two families.
void Transfer(VkCommandBuffer in, VkBuffer buffer, const Lane& from, Scope before, const Lane& to,
              Scope behind) {
  VkBufferMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
  barrier.srcStageMask = before.stages;
  barrier.srcAccessMask = before.access;
  barrier.dstStageMask = behind.stages;
  barrier.dstAccessMask = behind.access;
  barrier.srcQueueFamilyIndex = from.family;
  barrier.dstQueueFamilyIndex = to.family;
  barrier.buffer = buffer;
  barrier.size = VK_WHOLE_SIZE;
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.bufferMemoryBarrierCount = 1;
  info.pBufferMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(in, &info);
}

constexpr Scope kCopy = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr Scope kClear = {VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr Scope kCompute = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                            VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT};
// The stages of a wait, with which an acquisition chains, and those of a copy.
constexpr Scope kWaited = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0};
constexpr Scope kCopied = {VK_PIPELINE_STAGE_2_COPY_BIT, 0};

}  // namespace

int main() {
  VkPhysicalDeviceVulkan12Features features12 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features12.timelineSemaphore = VK_TRUE;
  VkPhysicalDeviceVulkan13Features features13 = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &features12};
  features13.synchronization2 = VK_TRUE;
  Open({.features = &features13, .second_family = true});
  VkQueue second;
  vkGetDeviceQueue(device, SecondFamily(), 0, &second);
  const Lane fills = MakeLane(family, queue), computes = MakeLane(SecondFamily(), second);
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage);
  const Buffer read = MakeBuffer(4096, kCopies, kHostMemory);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  for (uint64_t frame = 1; frame <= 6; ++frame) {
    if (frame > kRing) {
      const uint64_t value = frame - kRing;
      VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
      wait.semaphoreCount = 1;
      wait.pSemaphores = &computes.done;
      wait.pValues = &value;
      OK(vkWaitSemaphores(device, &wait, UINT64_MAX));
    }
    VkCommandBuffer in = Start(fills, frame);
    if (frame > 1) {
      // The wait is at all commands: the acquisitions need no source stages.
      Transfer(in, input.handle, computes, {}, fills, kClear);
      Transfer(in, output.handle, computes, {}, fills, kCopy);
      VkMemoryBarrier2 again = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
      again.srcStageMask = again.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
      again.srcAccessMask = again.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
      VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
      info.memoryBarrierCount = 1;
      info.pMemoryBarriers = &again;
      vkCmdPipelineBarrier2(in, &info);
      const VkBufferCopy all = {0, 0, 4096};
      vkCmdCopyBuffer(in, output.handle, read.handle, 1, &all);
      Transfer(in, output.handle, fills, kCopied, computes, {});
    }
    vkCmdFillBuffer(in, input.handle, 0, VK_WHOLE_SIZE, static_cast<uint32_t>(frame));
    Transfer(in, input.handle, fills, kClear, computes, {});
    Finish(fills, frame, computes, frame - 1, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);

    in = Start(computes, frame);
    Transfer(in, input.handle, fills, kWaited, computes, kCompute);
    if (frame > 1) Transfer(in, output.handle, fills, kWaited, computes, kCompute);
    vkCmdBindPipeline(in, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
    vkCmdBindDescriptorSets(in, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1, &compute.set,
                            0, nullptr);
    vkCmdDispatch(in, 16, 1, 1);
    Transfer(in, input.handle, computes, kCompute, fills, {});
    Transfer(in, output.handle, computes, kCompute, fills, {});
    Finish(computes, frame, fills, frame, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
  }
  OK(vkDeviceWaitIdle(device));
  for (const Lane& lane : {fills, computes}) {
    for (VkCommandPool made : lane.pools) vkDestroyCommandPool(device, made, nullptr);
    vkDestroySemaphore(device, lane.done, nullptr);
  }
  Close(compute, input, output, read);
}
