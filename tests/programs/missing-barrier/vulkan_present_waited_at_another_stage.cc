// Defect: The semaphore of the image is waited for at the stage that writes attachments, and the
// barrier that changes the layout of the image begins at the transfers.
// Fix: The semaphore is waited for at the stage at which the barrier begins.
// EXPECT error missing-barrier vkCmdPipelineBarrier at USE
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
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
#ifdef DEFECT
  SubmitFrame(window, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
#else
  SubmitFrame(window, VK_PIPELINE_STAGE_TRANSFER_BIT);
#endif
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &info));
  CloseWindow(window);
}
