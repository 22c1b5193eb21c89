// Defect: One copy within an image scrolls its rows by four, so that it reads rows that it writes.
// Fix: The rows are copied in two copies through another image.
// EXPECT error race vkCmdCopyImage at HERE
// EXPECT-FACT vuid=VUID-vkCmdCopyImage-pRegions-00124
#include "common/vulkan.h"

static void Order(VkImage image, VkImageLayout from, VkImageLayout to, VkAccessFlags source) {
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, from, to, source, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands,
                       source == 0 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

int main() {
  Open();
  const Image image = MakeImage(ImageInfo(64, 64)), other = MakeImage(ImageInfo(64, 64));
  Begin();
  Order(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0);
  Order(other.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &kWhole);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageCopy copy = {};
  copy.srcSubresource = copy.dstSubresource = kFirst;
  copy.extent = {64, 60, 1};
  copy.srcOffset = {0, 4, 0};
#ifdef DEFECT
  // @HERE
  vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
#else
  vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, other.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  Order(other.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_READ_BIT);
  copy.srcOffset = {0, 0, 0};
  vkCmdCopyImage(commands, other.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
#endif
  Run();
  Close(image, other);
}
