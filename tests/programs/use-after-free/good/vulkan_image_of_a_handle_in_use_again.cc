// Makes and destroys images before the one that the submission clears.
#include "common/vulkan.h"

int main() {
  Open();
  for (int i = 0; i < 3; ++i) Destroy(MakeImage(ImageInfo(16, 16)));
  const Image image = MakeImage(ImageInfo(16, 16));
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  const VkClearColorValue color = {};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(image);
  Close();
}
