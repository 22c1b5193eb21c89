// Defect: Signals the semaphore of the first frame again for the second frame, which has another
// image. The presentation engine may not have waited for it yet: the fence of the first frame does
// not show that.
// Fix: Each image has a semaphore of its own.
// EXPECT warning sync-object-misuse vkQueueSubmit at SIGNAL
// EXPECT-PARTY presentation at PRESENT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSignalSemaphores-00067
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore acquired[2] = {window.acquired}, drawn[2] = {window.drawn};
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &acquired[1]));
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &drawn[1]));
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  // The swapchain has one image more than the least number: the program may hold two.
  uint32_t images[2];
  for (int i = 0; i < 2; ++i)
    OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, acquired[i], VK_NULL_HANDLE,
                             &images[i]));
  for (int i = 0; i < 2; ++i) {
    VkSemaphore signaled = drawn[i];
#ifdef DEFECT
    signaled = drawn[0];
#endif
    Begin();
    CmdClear(window.images[images[i]]);
    OK(vkEndCommandBuffer(commands));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo info = SubmitInfo();
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = &acquired[i];
    info.pWaitDstStageMask = &stage;
    info.pSignalSemaphores = &signaled;
    // @SIGNAL
    OK(vkQueueSubmit(queue, 1, &info, fence));
    VkPresentInfoKHR present = PresentInfo(window, &images[i]);
    present.pWaitSemaphores = &signaled;
    // @PRESENT
    OK(vkQueuePresentKHR(queue, &present));
    OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
    OK(vkResetFences(device, 1, &fence));
  }
  OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, acquired[1], nullptr);
  vkDestroySemaphore(device, drawn[1], nullptr);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}
