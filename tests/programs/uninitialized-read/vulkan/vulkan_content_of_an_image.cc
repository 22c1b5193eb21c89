// Defect: Images are read whose content was never written, or was discarded.
// Fix: What is read is written, and kept.
#include "common/vulkan.h"
#include "common/vulkan_alias.h"
#include "common/vulkan_pass.h"

// Defect: Two of the four tiles of a picture are uploaded before all of it is read back.
// Fix: All four are.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at COPY
static void HalfOfAPictureReadBack() {
  constexpr uint32_t kSize = 64, kTile = 32;
  const Buffer staging = MakeStaging(kTile * kTile * 4);
  const Buffer target = MakeBuffer(kSize * kSize * 4);
  const Image image = MakeImage(ImageInfo(kSize, kSize));
  Begin();
  const VkImageMemoryBarrier to_upload =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_upload);
  VkBufferImageCopy tiles[4] = {};
  for (int i = 0; i < 4; ++i) {
    tiles[i].imageSubresource = kFirst;
    tiles[i].imageOffset = {i % 2 * int{kTile}, i / 2 * int{kTile}, 0};
    tiles[i].imageExtent = {kTile, kTile, 1};
  }
  uint32_t count = 4;
#ifdef DEFECT
  count = 2;
#endif
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count, tiles);
  const VkImageMemoryBarrier to_copy = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {kSize, kSize, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &copy);
  Run();
  Destroy(image, staging, target);
}

// Defect: Fills an image, and names its layout as undefined in the barrier before the copy from it,
// which discards the content.
// Fix: The barrier names the layout of the image.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at COPY_2
// EXPECT-PARTY layout at BARRIER
static void ImageReadAfterAnUndefinedLayout() {
  const Image image = MakeImage(ImageInfo(64, 64));
  const Buffer target = MakeBuffer(64 * 64 * 4);
  Begin();
  const VkImageMemoryBarrier to_clear =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue color = {};
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                       &kWhole);
#ifdef DEFECT
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#else
  const VkImageMemoryBarrier to_copy = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {64, 64, 1};
  // @COPY_2
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &copy);
  Run();
  Destroy(image, target);
}

// Defect: The store operation of a render pass discards the color attachment, which is copied to a
// buffer after the pass.
// Fix: The render pass stores the attachment.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at COPY_3
// EXPECT-PARTY end-of-pass at END
static void AttachmentThatIsNotStored() {
  const Image image = MakeImage(PassImage());
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
#ifdef DEFECT
  constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_DONT_CARE;
#else
  constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_STORE;
#endif
  VkSubpassDependency behind = {};
  behind.dstSubpass = VK_SUBPASS_EXTERNAL;
  behind.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  behind.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  behind.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  behind.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, &behind, VK_IMAGE_LAYOUT_UNDEFINED,
               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, kStore);
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @END
  vkCmdEndRenderPass(commands);
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {kPassSize, kPassSize, 1};
  // @COPY_3
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &all);
  Run();
  Destroy(pass, image, target);
}

// Defect: An image is read after a write to the buffer that shares its memory: the content of the
// image is lost.
// Fix: The image is written again before the read.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at READ
// EXPECT-PARTY alias at WRITE
static void ImageBehindItsAlias() {
  const VkDeviceSize bytes = kAliasSize * kAliasSize * 4;
  const Image image = MakeImage(ImageInfo(kAliasSize, kAliasSize));
  const VkBuffer alias = MakeAlias(Buffer{VK_NULL_HANDLE, image.memory}, 0, bytes);
  const Buffer source = MakeStaging(bytes), target = MakeBuffer(bytes);
  Begin();
  const VkImageMemoryBarrier discard = Discard(image.handle, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &discard);
  CmdUpload(source.handle, image.handle);
  VkMemoryBarrier all = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  all.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &all, 0, nullptr, 0, nullptr);
  const VkBufferCopy copy = {0, 0, bytes};
  // @WRITE
  vkCmdCopyBuffer(commands, source.handle, alias, 1, &copy);
#ifndef DEFECT
  const VkImageMemoryBarrier again = Discard(image.handle, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &all, 0, nullptr, 1, &again);
  CmdUpload(source.handle, image.handle);
#endif
  const VkImageMemoryBarrier barrier = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &all, 0, nullptr, 1, &barrier);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  // @READ
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  Run();
  Destroy(alias, image, source, target);
}

int main() {
  Open();
  HalfOfAPictureReadBack();
  ImageReadAfterAnUndefinedLayout();
  AttachmentThatIsNotStored();
  ImageBehindItsAlias();
  Close();
}
