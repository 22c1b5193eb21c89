// Objects are made and destroyed in turn, so that the driver hands out the same handles again and
// again; those of before are complete.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer target = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  for (int i = 0; i < 20; ++i) {
    const Buffer source = MakeStaging(4096, i);
    const Image image = MakeImage(ImageInfo(16, 16));
    Begin();
    const VkImageMemoryBarrier to_clear =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     0, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &to_clear);
    const VkClearColorValue color = {};
    vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                         &kWhole);
    vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
    Run();
    Destroy(source);
    Destroy(image);
  }
  Close(target);
}
