// Defect: A frame clears another image of the swapchain than the one that it has acquired.
// Fix: A frame clears the image of the swapchain that it has acquired.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at USE
// EXPECT error sync-object-misuse vkCmdClearColorImage at CLEAR
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
#ifdef DEFECT
  const uint32_t drawn = (index + 1) % static_cast<uint32_t>(window.images.size());
#else
  const uint32_t drawn = index;
#endif
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(window.images[drawn], VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  // @CLEAR
  vkCmdClearColorImage(commands, window.images[drawn], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  SubmitFrame(window);
  OK(vkQueueWaitIdle(queue));
  CloseWindow(window);
}
