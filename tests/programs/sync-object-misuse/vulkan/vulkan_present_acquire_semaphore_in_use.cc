// Defect: The second frame acquires its image with the semaphore of the first frame, while the submission of the first frame, which
// waits for that semaphore, may be pending.
// Fix: The program waits for the fence of the first frame before the acquisition.
// EXPECT error sync-object-misuse vkAcquireNextImageKHR at ACQUIRE
// EXPECT-PARTY earlier-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkAcquireNextImageKHR-semaphore-01779
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore drawn[2] = {window.drawn};
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &drawn[1]));
  for (int frame = 0; frame < 2; ++frame) {
#ifndef DEFECT
    if (frame == 1) OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
    uint32_t index;
    // @ACQUIRE
    OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE, &index));
    if (frame == 1) {
      OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
      OK(vkResetFences(device, 1, &fence));
    }
    Begin();
    CmdClear(window.images[index]);
    OK(vkEndCommandBuffer(commands));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo info = SubmitInfo();
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = &window.acquired;
    info.pWaitDstStageMask = &stage;
    info.pSignalSemaphores = &drawn[frame];
    // @SUBMIT
    OK(vkQueueSubmit(queue, 1, &info, fence));
    VkPresentInfoKHR present = PresentInfo(window, &index);
    present.pWaitSemaphores = &drawn[frame];
    OK(vkQueuePresentKHR(queue, &present));
  }
  OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, drawn[1], nullptr);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}
