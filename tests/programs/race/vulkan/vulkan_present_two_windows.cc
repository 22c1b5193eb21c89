// Defect: Two windows are drawn in one submission, which waits for the image of the second one
// alone: the presentation engine may still read that of the first.
// Fix: The submission waits for the images of both windows.
// EXPECT error race vkCmdPipelineBarrier at USE
// EXPECT-PARTY pending-command at ACQUIRE
// EXPECT-FACT hazard=WAR
#include "common/vulkan_window.h"

int main() {
  const Window first = OpenWindow();
  const Window second = AddWindow(first.server, first.connection);
  uint32_t indices[2];
  // @ACQUIRE
  OK(vkAcquireNextImageKHR(device, first.swapchain, ~0ull, first.acquired, VK_NULL_HANDLE,
                           &indices[0]));
  indices[1] = Acquire(second);
  const VkImage image = first.images[indices[0]];
  Begin();
  CmdClear(second.images[indices[1]]);
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
  const VkSemaphore acquired[] = {second.acquired, first.acquired};
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
  info.pSignalSemaphores = &first.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkSwapchainKHR swapchains[] = {first.swapchain, second.swapchain};
  VkPresentInfoKHR present = PresentInfo(first, indices);
  present.swapchainCount = 2;
  present.pSwapchains = swapchains;
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkDeviceWaitIdle(device));
  RemoveWindow(second);
  CloseWindow(first);
}
