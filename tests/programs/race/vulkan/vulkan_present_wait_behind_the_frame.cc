// Defect: The frame is submitted before the wait for the semaphore of its image, which the
// presentation engine may still read.
// Fix: The wait is submitted before the frame.
// EXPECT error race vkCmdPipelineBarrier at USE
// EXPECT-PARTY pending-command at ACQUIRE
// EXPECT-FACT hazard=WAR
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  uint32_t index;
  // @ACQUIRE
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE,
                           &index));
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(window.images[index], VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, window.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  CmdMakePresentable(window.images[index]);
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo wait = SubmitInfo();
  wait.commandBufferCount = 0;
  wait.waitSemaphoreCount = 1;
  wait.pWaitSemaphores = &window.acquired;
  wait.pWaitDstStageMask = &stage;
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo frame = SubmitInfo();
  frame.signalSemaphoreCount = 1;
  frame.pSignalSemaphores = &window.drawn;
#ifdef DEFECT
  OK(vkQueueSubmit(queue, 1, &frame, VK_NULL_HANDLE));
  OK(vkQueueSubmit(queue, 1, &wait, VK_NULL_HANDLE));
#else
  OK(vkQueueSubmit(queue, 1, &wait, VK_NULL_HANDLE));
  OK(vkQueueSubmit(queue, 1, &frame, VK_NULL_HANDLE));
#endif
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &info));
  CloseWindow(window);
}
