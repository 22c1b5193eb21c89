// Defect: The fence of an acquisition is waited for, and given to the next acquisition without a reset.
// Fix: It is reset. The last acquisition has a fence that a submission has signaled before.
// EXPECT error sync-object-misuse vkAcquireNextImageKHR at ACQUIRE
// EXPECT-FACT vuid=VUID-vkAcquireNextImageKHR-fence-01287
#include "common/vulkan_window.h"

static void Frame(const Window& window, VkFence acquired, uint32_t index) {
  OK(vkWaitForFences(device, 1, &acquired, VK_TRUE, ~0ull));
  Begin();
  CmdClear(window.images[index]);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &window.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkPresentInfoKHR present = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkQueueWaitIdle(queue));
}

int main() {
  const Window window = OpenWindow();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  uint32_t index;
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, fence, &index));
  Frame(window, fence, index);
#ifndef DEFECT
  OK(vkResetFences(device, 1, &fence));
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
  OK(vkResetFences(device, 1, &fence));
#endif
  // @ACQUIRE
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, fence, &index));
  Frame(window, fence, index);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}
