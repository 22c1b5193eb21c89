// Frees the memory of images behind them, and in front of them; the last one keeps its own.
#include "common/vulkan.h"

int main() {
  Open();
  for (int i = 0; i < 4; ++i) {
    const Image image = MakeImage(ImageInfo(16, 16));
    if (i % 2 == 0) {
      Destroy(image);
    } else {
      vkFreeMemory(device, image.memory, nullptr);
      vkDestroyImage(device, image.handle, nullptr);
    }
  }
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
  Run();
  Destroy(image);
  Close();
}
