// Defect: A texture is brought into the layout for shaders, but was created for copies only.
// Fix: The texture is created with VK_IMAGE_USAGE_SAMPLED_BIT.
// EXPECT error usage-missing vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-oldLayout-01211
#include "common/vulkan.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
#ifndef DEFECT
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
#endif
  const Image image = MakeImage(info);
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, 0, VK_ACCESS_SHADER_READ_BIT);
  Begin();
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Run();
  Close(image);
}
