// Defect: A submission is given a fence that belongs to another device.
// Fix: The fence belongs to the device of the queue.
// EXPECT error invalid-handle vkQueueSubmit at SUBMIT
// EXPECT-FACT argument=fence
// EXPECT-FACT vuid=VUID-vkQueueSubmit-commonparent
// EXIT any
#include "common/vulkan_devices.h"

int main() {
  Open();
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
#ifdef DEFECT
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
  Close();
}
