// Defect: Frees the memory of an image, allocates other memory, which usually gets the same handle,
// and creates a view of the image.
// Fix: The image keeps its memory. Other images were destroyed before it was created, before or
// after their memory was freed.
// EXPECT error unbound-memory vkCreateImageView at VIEW
// EXPECT-PARTY release at FREE
#include "common/vulkan.h"

int main() {
  Open();
#ifdef DEFECT
  VkImageCreateInfo image_info = ImageInfo(16, 16);
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(image_info);
  // @FREE
  vkFreeMemory(device, image.memory, nullptr);
  const Image another = MakeImage(image_info);
  const VkImageViewCreateInfo info = ViewInfo(image.handle);
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  vkDestroyImageView(device, view, nullptr);
  vkDestroyImage(device, image.handle, nullptr);
  Destroy(another);
#else
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
#endif
  Close();
}
