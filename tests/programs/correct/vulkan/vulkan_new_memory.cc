// Resources are written in part, or by what no command in sight writes, and the written part is
// read.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/again.comp.h"

// Programs write the part of a buffer that they need and copy all of it.
static void PartsOfNewMemory() {
  const Buffer head = MakeBuffer(4096), half = MakeBuffer(4096), slots = MakeBuffer(4096),
               from = MakeStaging(4096), back = MakeStaging(3 * 4096);
  Begin();
  vkCmdFillBuffer(commands, head.handle, 0, 64, 0);
  const VkBufferCopy quarter = {0, 0, 1024};
  vkCmdCopyBuffer(commands, from.handle, half.handle, 1, &quarter);
  vkCmdFillBuffer(commands, slots.handle, 1024, 1024, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const VkBufferCopy first = {0, 0, 4096}, second = {0, 4096, 4096}, third = {0, 8192, 4096};
  vkCmdCopyBuffer(commands, head.handle, back.handle, 1, &first);
  vkCmdCopyBuffer(commands, half.handle, back.handle, 1, &second);
  vkCmdCopyBuffer(commands, slots.handle, back.handle, 1, &third);
  Run();
  for (const Buffer& buffer : {head, half, slots, from, back}) Destroy(buffer);
}

// Copies write pictures in parts that overlap, of several levels and layers. What is read back is
// written: all of a picture, or the parts of it that are in use. A larger picture takes over all of
// a smaller one that is in use in part.
static VkBufferImageCopy Part(int32_t x, int32_t y, uint32_t width, uint32_t height,
                              uint32_t level = 0, uint32_t layer = 0) {
  VkBufferImageCopy copy = {};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1};
  copy.imageOffset = {x, y, 0};
  copy.imageExtent = {width, height, 1};
  return copy;
}

// Orders all copies in front of it before those behind it.
static void Barrier() {
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

static void ToGeneral(const Image& image) {
  VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
  barrier.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &barrier);
}

static void Upload(const Buffer& staging, const Image& image, const VkBufferImageCopy& part) {
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &part);
  Barrier();
}

static void ReadBack(const Image& image, const Buffer& target, const VkBufferImageCopy& part) {
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &part);
  Barrier();
}

static void PicturesWrittenInParts() {
  constexpr uint32_t kSize = 64;
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
  Destroy(atlas, larger, staging, target);
}

// Dispatches whose results depend on buffers that no command in sight writes: the buffer is mapped,
// another dispatch or another submission writes it, the dispatch has no workgroup, or only another
// part of the buffer is written.
static void BuffersThatBarrier() {
  MemoryBarrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

static void BuffersThatNothingSeemsToWrite() {
  Compute computes[3];
  for (Compute& compute : computes) compute = MakeCompute(again_comp, sizeof(again_comp));
  const Buffer mapped = MakeBuffer(256, kStorage, kHostMemory);
  const Buffer first = MakeBuffer(256, kStorage), second = MakeBuffer(256, kStorage);
  const Buffer unwritten = MakeBuffer(256, kStorage);
  SetBuffers(computes[0], mapped.handle, first.handle);
  SetBuffers(computes[1], first.handle, second.handle);
  SetBuffers(computes[2], unwritten.handle, second.handle);
  void* data;
  OK(vkMapMemory(device, mapped.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 1, 256);
  Begin();
  Bind(computes[0]);
  vkCmdDispatch(commands, 1, 1, 1);
  BuffersThatBarrier();
  Bind(computes[1]);
  vkCmdDispatch(commands, 1, 1, 1);
  Bind(computes[2]);
  vkCmdDispatch(commands, 0, 1, 1);
  Run();
  // Not all that the dispatch reads is written: which words it needs is not known.
  Begin();
  vkCmdFillBuffer(commands, unwritten.handle, 0, 128, 7);
  BuffersThatBarrier();
  Bind(computes[2]);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  for (const Compute& compute : computes) Destroy(compute);
  for (const Buffer& buffer : {mapped, first, second, unwritten}) Destroy(buffer);
}

int main() {
  Open();
  PartsOfNewMemory();
  PicturesWrittenInParts();
  BuffersThatNothingSeemsToWrite();
  Close();
}
