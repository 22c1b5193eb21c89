// Defect: The barrier is for another part, another image or another buffer than the one that is
// used, or missing for the same memory.
// Fix: The barrier is for the memory that both commands use.
#include "common/vulkan.h"
#include "common/vulkan_alias.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_external.h"

// Defect: All layers of an image and all of a buffer are written; barriers cover the first two
// layers and the first half, and one layer and some bytes more are read.
// Fix: The reads keep to the two layers and the half that the barriers cover.
// EXPECT error missing-barrier vkCmdCopyImageToBuffer at READ_LAYERS
// EXPECT-PARTY earlier-access at WRITE_LAYERS
// EXPECT error missing-barrier vkCmdCopyBuffer at READ_BYTES
// EXPECT-PARTY earlier-access at WRITE_BYTES
static void BarrierOfOtherParts() {
  const Buffer source = MakeStaging(4096), bytes = MakeBuffer(4096), target = MakeBuffer(8192);
  const Image image = MakeImage(ImageInfo(16, 16, VK_FORMAT_R8G8B8A8_UNORM, 1, 4));
  Begin();
  VkImageMemoryBarrier layers =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  layers.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &layers);
  VkBufferImageCopy all = {};
  all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 4};
  all.imageExtent = {16, 16, 1};
  // @WRITE_LAYERS
  vkCmdCopyBufferToImage(commands, source.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
  // @WRITE_BYTES
  vkCmdFillBuffer(commands, bytes.handle, 0, 4096, 7);
  layers = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL,
                        VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  layers.subresourceRange.layerCount = 2;
  VkBufferMemoryBarrier half = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  half.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  half.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  half.srcQueueFamilyIndex = half.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  half.buffer = bytes.handle;
  half.size = 2048;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &half, 1, &layers);
#ifdef DEFECT
  all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 2};
  // @READ_LAYERS
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &all);
  const VkBufferCopy part = {1024, 4096, 2048};
#else
  all.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2};
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &all);
  const VkBufferCopy part = {0, 4096, 2048};
#endif
  // @READ_BYTES
  vkCmdCopyBuffer(commands, bytes.handle, target.handle, 1, &part);
  Run();
  Destroy(image, source, bytes, target);
}

// Defect: A loop uploads four versions of an image, with a barrier before each copy. The last
// barrier names another image.
// Fix: All barriers name the image of the copies.
// EXPECT error missing-barrier vkCmdCopyBufferToImage at COPY
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT hazard=WAW
static void OneOfManyUploads() {
  const Buffer source = MakeStaging(4096);
  const Image images[] = {MakeImage(ImageInfo(16, 16)), MakeImage(ImageInfo(16, 16))};
  Begin();
  for (const Image& image : images) {
    const VkImageMemoryBarrier general =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &general);
  }
  for (int i = 0; i < 4; ++i) {
    VkImageMemoryBarrier barrier =
        ImageBarrier(images[0].handle, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL,
                     VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
#ifdef DEFECT
    if (i == 3) barrier.image = images[1].handle;
#endif
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
    VkBufferImageCopy copy = {};
    copy.bufferOffset = static_cast<VkDeviceSize>(i) * 1024;
    copy.imageSubresource = kFirst;
    copy.imageExtent = {16, 16, 1};
    // @COPY
    vkCmdCopyBufferToImage(commands, source.handle, images[0].handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &copy);
  }
  Run();
  for (const Image& image : images) Destroy(image);
  Destroy(source);
}

// Defect: The memory of an image that has been read is given to another image, whose first barrier
// waits for nothing.
// Fix: The first barrier of the other image waits for the read.
// EXPECT error missing-barrier vkCmdPipelineBarrier at DISCARD
// EXPECT-PARTY earlier-access at READ
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT include VK_PIPELINE_STAGE_TRANSFER_BIT in srcStageMask of this vkCmdPipelineBarrier
static void ImagesOfTheSameMemory() {
  const VkImageCreateInfo info = ImageInfo(kAliasSize, kAliasSize);
  const Image first = MakeImage(info);
  const VkImage second = MakeAlias(first, info);
  const Buffer source = MakeStaging(kAliasSize * kAliasSize * 4),
               target = MakeBuffer(kAliasSize * kAliasSize * 4);
  Begin();
  VkImageMemoryBarrier discard = Discard(first.handle, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &discard);
  CmdUpload(source.handle, first.handle);
  const VkImageMemoryBarrier barrier = ImageBarrier(
      first.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  // @READ
  vkCmdCopyImageToBuffer(commands, first.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  discard = Discard(second, 0);
#ifdef DEFECT
  // @DISCARD
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &discard);
#else
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &discard);
#endif
  CmdUpload(source.handle, second);
  Run();
  Destroy(second, first, source, target);
}

// Defect: What is written by one buffer is read by another one of the same bytes, and nothing
// orders the two.
// Fix: A barrier for all of the memory orders the two.
// EXPECT error missing-barrier vkCmdCopyBuffer at READ_2
// EXPECT-PARTY earlier-access at WRITE
// EXPECT-FACT hazard=RAW
static void BuffersOfTheSameBytes() {
  const Buffer whole = MakeBuffer(4096), target = MakeBuffer(1024);
  const VkBuffer second_half = MakeAlias(whole, 2048, 2048);
  // Beside what the other one reads.
  const VkBufferCopy first = {0, 0, 1024};
  Begin();
  vkCmdFillBuffer(commands, whole.handle, 0, 2048, 1);
  // @WRITE
  vkCmdFillBuffer(commands, whole.handle, 2048, 1024, 2);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @READ_2
  vkCmdCopyBuffer(commands, second_half, target.handle, 1, &first);
  Run();
  Destroy(second_half, whole, target);
}

// Defect: A buffer of exported memory is read while a buffer of the same memory, which the device
// has imported again, is written: no barrier orders the two.
// Fix: A barrier for all of the memory orders the two.
// EXPECT error missing-barrier vkCmdCopyBuffer at READ_3
// EXPECT-PARTY earlier-access at WRITE_2
// EXPECT-FACT hazard=RAW
static void MemoryImportedAgain() {
  OpenForExports();
  const VkBuffer exported = MakeExternal(4096, kOpaque), again = MakeExternal(4096, kOpaque);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, exported, &needs);
  const uint32_t type = MemoryType(needs.memoryTypeBits, 0);
  const VkDeviceMemory memory = AllocateForExport(needs.size, type);
  OK(vkBindBufferMemory(device, exported, memory, 0));
  VkImportMemoryFdInfoKHR import;
  VkMemoryAllocateInfo info = ImportOf(memory, &import);
  info.allocationSize = needs.size;
  info.memoryTypeIndex = type;
  VkDeviceMemory imported;
  OK(vkAllocateMemory(device, &info, nullptr, &imported));
  OK(vkBindBufferMemory(device, again, imported, 0));
  const Buffer target = MakeBuffer(1024);
  const VkBufferCopy first = {0, 0, 1024};
  Begin();
  // Beside the bytes that the copy reads.
  vkCmdFillBuffer(commands, again, 2048, 1024, 1);
  // @WRITE_2
  vkCmdFillBuffer(commands, again, 0, 1024, 2);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @READ_3
  vkCmdCopyBuffer(commands, exported, target.handle, 1, &first);
  Run();
  Close(exported, again, imported, memory, target);
}

int main() {
  Open();
  BarrierOfOtherParts();
  OneOfManyUploads();
  ImagesOfTheSameMemory();
  BuffersOfTheSameBytes();
  Close();
  MemoryImportedAgain();
}
