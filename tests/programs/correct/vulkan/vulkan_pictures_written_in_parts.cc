// Copies write pictures in parts that overlap, of several levels and layers. What is read back is written: all
// of a picture, or the parts of it that are in use. A larger picture takes over all of a smaller one that is in
// use in part.
#include "common/vulkan_barriers.h"

namespace {

constexpr uint32_t kSize = 64;

VkBufferImageCopy Part(int32_t x, int32_t y, uint32_t width, uint32_t height, uint32_t level = 0,
                       uint32_t layer = 0) {
  VkBufferImageCopy copy = {};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1};
  copy.imageOffset = {x, y, 0};
  copy.imageExtent = {width, height, 1};
  return copy;
}

// Orders all copies in front of it before those behind it.
void Barrier() {
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

void ToGeneral(const Image& image) {
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
  barrier.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
}

void Upload(const Buffer& staging, const Image& image, const VkBufferImageCopy& part) {
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &part);
  Barrier();
}

void ReadBack(const Image& image, const Buffer& target, const VkBufferImageCopy& part) {
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &part);
  Barrier();
}

}  // namespace

int main() {
  Open();
  const Buffer staging = MakeStaging(kSize * kSize * 4);
  const Buffer target = MakeBuffer(2 * kSize * kSize * 4);
  const Image atlas = MakeImage(ImageInfo(kSize, kSize, VK_FORMAT_R8G8B8A8_UNORM, 2, 2));
  const Image larger = MakeImage(ImageInfo(2 * kSize, kSize));
  Begin();
  ToGeneral(atlas);
  ToGeneral(larger);
  // Parts that overlap cover the first level of the second layer.
  Upload(staging, atlas, Part(0, 0, 40, 40, 0, 1));
  Upload(staging, atlas, Part(24, 0, 40, 50, 0, 1));
  Upload(staging, atlas, Part(0, 30, 64, 34, 0, 1));
  ReadBack(atlas, target, Part(0, 0, kSize, kSize, 0, 1));
  // Only the parts in use are read, together and one by one.
  Upload(staging, atlas, Part(0, 0, 16, 16));
  Upload(staging, atlas, Part(16, 0, 16, 16));
  ReadBack(atlas, target, Part(0, 0, 32, 16));
  ReadBack(atlas, target, Part(20, 4, 10, 10));
  // A picture of which parts are in use moves to a larger one as a whole.
  VkImageCopy move = {kFirst, {0, 0, 0}, kFirst, {0, 0, 0}, {kSize, kSize, 1}};
  vkCmdCopyImage(commands, atlas.handle, VK_IMAGE_LAYOUT_GENERAL, larger.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &move);
  Barrier();
  Upload(staging, larger, Part(kSize, 0, kSize, kSize));
  ReadBack(larger, target, Part(0, 0, 2 * kSize, kSize));
  // A clear covers what the uploads have left.
  Upload(staging, atlas, Part(3, 3, 5, 5, 1, 0));
  const VkClearColorValue color = {};
  const VkImageSubresourceRange level = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 2};
  vkCmdClearColorImage(commands, atlas.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &level);
  Barrier();
  Upload(staging, atlas, Part(3, 3, 5, 5, 1, 0));
  ReadBack(atlas, target, Part(0, 0, kSize / 2, kSize / 2, 1, 0));
  Run();
  // So many parts that gpusan does not keep them all.
  Begin();
  ToGeneral(atlas);
  for (int i = 0; i < 128; ++i) Upload(staging, atlas, Part(i % 64, i / 64 * 32, 1, 32));
  ReadBack(atlas, target, Part(0, 0, kSize, kSize));
  Run();
  Close(atlas, larger, staging, target);
}
