// Defect: Two images of a swapchain are drawn in one submission, which waits for the second one
// alone: that it may be drawn says nothing of the first one.
// Fix: The submission waits for both images.
// EXPECT error race vkCmdPipelineBarrier at USE
// EXPECT-PARTY pending-command at ACQUIRE
// EXPECT-FACT hazard=WAR
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore second;
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &second));
  uint32_t indices[2];
  // @ACQUIRE
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE,
                           &indices[0]));
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, second, VK_NULL_HANDLE, &indices[1]));
  const VkImage image = window.images[indices[0]];
  Begin();
  CmdClear(window.images[indices[1]]);
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &kWhole);
  CmdMakePresentable(image);
  OK(vkEndCommandBuffer(commands));
  const VkSemaphore acquired[] = {second, window.acquired};
  const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT};
  VkSubmitInfo info = SubmitInfo();
#ifdef DEFECT
  info.waitSemaphoreCount = 1;  // both are needed
#else
  info.waitSemaphoreCount = 2;
#endif
  info.pWaitSemaphores = acquired;
  info.pWaitDstStageMask = stages;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &window.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  VkPresentInfoKHR present = PresentInfo(window, &indices[0]);
  OK(vkQueuePresentKHR(queue, &present));
  present = PresentInfo(window, &indices[1]);
  present.waitSemaphoreCount = 0;  // the queue's work is done
  OK(vkDeviceWaitIdle(device));
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkDeviceWaitIdle(device));
  vkDestroySemaphore(device, second, nullptr);
  CloseWindow(window);
}
