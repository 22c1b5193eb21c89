// Defect: One copy moves data within a buffer or an image, and reads what it writes.
// Fix: The regions of the copy do not overlap.
#include "common/vulkan.h"

// Defect: One copy within a buffer moves two blocks, and the second region reads what the first one writes.
// Fix: The second region reads what neither of them writes.
// EXPECT error race vkCmdCopyBuffer at HERE
// EXPECT-TEXT the source of bytes 1024 to 2047 .pRegions.1.. and the destination of bytes 1024 to 2047 .pRegions.0..
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-pRegions-00117
static void RegionsOfOneCopy() {
  const Buffer buffer = MakeStaging(8192);
  Begin();
#ifdef DEFECT
  const VkBufferCopy regions[] = {{0, 1024, 1024}, {1024, 4096, 1024}};
#else
  const VkBufferCopy regions[] = {{0, 1024, 1024}, {2048, 4096, 1024}};
#endif
  // @HERE
  vkCmdCopyBuffer(commands, buffer.handle, buffer.handle, 2, regions);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(buffer);
}

// Defect: One copy within an image scrolls its rows by four, so that it reads rows that it writes.
// Fix: The rows are copied in two copies through another image.
// EXPECT error race vkCmdCopyImage at HERE_2
// EXPECT-FACT vuid=VUID-vkCmdCopyImage-pRegions-00124
static void Order(VkImage image, VkImageLayout from, VkImageLayout to, VkAccessFlags source) {
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, from, to, source, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands,
                       source == 0 ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void ScrollOfAnImage() {
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
  // @HERE_2
  vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
#else
  vkCmdCopyImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, other.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  Order(other.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_WRITE_BIT);
  Order(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, VK_ACCESS_TRANSFER_READ_BIT);
  copy.srcOffset = {0, 0, 0};
  vkCmdCopyImage(commands, other.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
#endif
  Run();
  Destroy(image, other);
}

int main() {
  Open();
  RegionsOfOneCopy();
  ScrollOfAnImage();
  Close();
}
