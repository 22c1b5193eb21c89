// Defect bytes_for_floats: Uploads four bytes a texel into an image of four floats a texel.
// EXPECT error format-size-mismatch vkCmdCopyBufferToImage at COPY
// EXPECT-FACT texel_bytes=16
// Defect between_images: Copies an image with 4 bytes a texel to one with 8 bytes.
// EXPECT error format-size-mismatch vkCmdCopyImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdCopyImage-srcImage-01548
// EXIT any
// Fix: The texels of the source have the size of those of the image.
#include "common/vulkan.h"
#include "common/vulkan_image_pairs.h"

// Fix: Uploads four floats a texel into an image of four floats a texel.
static void BytesForFloats() {
#ifdef DEFECT_bytes_for_floats
  const Buffer source = MakeStaging(64 * 64 * 4);
#else
  const Buffer source = MakeStaging(64 * 64 * 16);
#endif
  const Image image = MakeImage(ImageInfo(64, 64, VK_FORMAT_R32G32B32A32_SFLOAT));
  Begin();
  const VkImageMemoryBarrier to_copy =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_copy);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = kFirst;
  copy.imageExtent = {64, 64, 1};
  copy.bufferRowLength = 0;
  // @COPY
  vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  // It is not submitted: what the device would do is anybody's guess.
  OK(vkEndCommandBuffer(commands));
  Destroy(source, image);
}

// Fix: Both images have 4 bytes a texel.
static void BetweenImages() {
#ifdef DEFECT_between_images
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
  const Image destination = MakeOf(VK_FORMAT_R16G16B16A16_SFLOAT);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
  const Image destination = MakeOf(VK_FORMAT_R16G16_SFLOAT);
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdCopyImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kCopyAll);
  OK(vkEndCommandBuffer(commands));
  Destroy(source, destination);
}

int main() {
  Open();
  BytesForFloats();
  BetweenImages();
  Close();
}
