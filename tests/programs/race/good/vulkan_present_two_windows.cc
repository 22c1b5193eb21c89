// Two windows are drawn in one submission, which waits for the images of both.
#include "common/vulkan_window.h"

int main() {
  const Window first = OpenWindow();
  const Window second = AddWindow(first.server, first.connection);
  uint32_t indices[2];
  OK(vkAcquireNextImageKHR(device, first.swapchain, ~0ull, first.acquired, VK_NULL_HANDLE,
                           &indices[0]));
  indices[1] = Acquire(second);
  const VkImage image = first.images[indices[0]];
  Begin();
  CmdClear(second.images[indices[1]]);
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
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
  info.waitSemaphoreCount = 2;
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
