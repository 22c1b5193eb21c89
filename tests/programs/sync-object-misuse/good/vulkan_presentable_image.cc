// A frame clears the image of the swapchain that it has acquired.
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
  const uint32_t drawn = index;
  Begin();
  const VkImageMemoryBarrier barrier = ImageBarrier(
      window.images[drawn], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
      VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, window.images[drawn], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  SubmitFrame(window);
  OK(vkQueueWaitIdle(queue));
  CloseWindow(window);
}
