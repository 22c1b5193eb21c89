// Defect buffer_of_another_device: Records a copy from a buffer that belongs to another device.
// EXPECT error invalid-handle vkCmdCopyBuffer at COPY
// EXPECT-FACT argument=srcBuffer
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-commonparent
// Defect fence_of_another_device: A submission is given a fence that belongs to another device.
// EXPECT error invalid-handle vkQueueSubmit at SUBMIT
// EXPECT-FACT argument=fence
// EXPECT-FACT vuid=VUID-vkQueueSubmit-commonparent
// EXIT any
// Defect null_buffer: Records a copy from VK_NULL_HANDLE.
// EXPECT error invalid-handle vkCmdCopyBuffer at COPY_2
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-srcBuffer-parameter
// EXIT any
// Fix: The objects belong to the device of the call.
#include "common/vulkan.h"

// A plain device with one queue of `family`. The caller destroys it.
static VkDevice MakeDevice() {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  VkDevice made;
  OK(vkCreateDevice(physical, &info, nullptr, &made));
  return made;
}

// Fix: Records a copy from a buffer of the same device.
static void BufferOfAnotherDevice() {
  const VkDevice first = device;
  VkDevice second = MakeDevice();
#ifdef DEFECT_buffer_of_another_device
  device = second;
#else
  device = first;
#endif
  const Buffer source = MakeStaging(4096);
  device = first;
  const Buffer target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
  Destroy(target);
#ifdef DEFECT_buffer_of_another_device
  device = second;
#else
  device = first;
#endif
  Destroy(source);
  vkDestroyDevice(second, nullptr);
  device = first;
}

// Fix: The fence belongs to the device of the queue.
static void FenceOfAnotherDevice() {
  VkDevice second = MakeDevice();
  VkQueue other;
  vkGetDeviceQueue(second, family, 0, &other);
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence mine, its;
  OK(vkCreateFence(device, &fence_info, nullptr, &mine));
  OK(vkCreateFence(second, &fence_info, nullptr, &its));
  // Each device with a fence of its own.
  OK(vkQueueSubmit(other, 0, nullptr, its));
  OK(vkQueueWaitIdle(other));
  OK(vkResetFences(second, 1, &its));
#ifdef DEFECT_fence_of_another_device
  const VkFence fence = its;
#else
  const VkFence fence = mine;
#endif
  Begin();
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, fence);
  OK(vkQueueWaitIdle(queue));
  vkDestroyFence(device, mine, nullptr);
  vkDestroyFence(second, its, nullptr);
  vkDestroyDevice(second, nullptr);
}

// Fix: Copies from the buffer.
static void NullBuffer() {
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  VkBuffer source = a.handle;
#ifdef DEFECT_null_buffer
  source = VK_NULL_HANDLE;
#endif
  // @COPY_2
  vkCmdCopyBuffer(commands, source, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  Destroy(a, b);
}

int main() {
  Open();
  BufferOfAnotherDevice();
  FenceOfAnotherDevice();
  NullBuffer();
  Close();
}
