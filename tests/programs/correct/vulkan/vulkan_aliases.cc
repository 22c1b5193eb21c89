// Several buffers and images have the same memory.
#include "common/vulkan_alias.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_host.h"

// Two buffers of the same bytes, that are not coherent, are used in turn: what the device wrote by
// the one is not what the host flushed by the other, and needs no flush.
static void AliasesInTurn() {
  OpenWithNonCoherentMemory();
  const Buffer upload = MakeNonCoherent(4096), target = MakeBuffer(4096),
               source = MakeStaging(4096);
  VkBuffer alias;
  const VkBufferCreateInfo info = BufferInfo(4096);
  OK(vkCreateBuffer(device, &info, nullptr, &alias));
  OK(vkBindBufferMemory(device, alias, upload.memory, 0));
  const VkMappedMemoryRange range = MappedRange(upload);
  unsigned char* data = Map(upload);
  memset(data, 1, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, upload.handle, target.handle, 1, &all);
  VkMemoryBarrier between = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  between.srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  between.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &between, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, source.handle, alias, 1, &all);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &between, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, alias, target.handle, 1, &all);
  CmdHostBarrier();
  Run();
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
  CHECK(data[100] == 7);
  // The host's turn again.
  memset(data, 2, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Begin();
  vkCmdCopyBuffer(commands, upload.handle, target.handle, 1, &all);
  Run();
  Close(alias, upload, target, source);
}

// What is written under one name is read under another: two buffers at the same bytes, a buffer
// inside another, and two images that are made to share what they hold.
static void CmdAfterWrite() {
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

// The first one lies `inside` bytes behind the start of the second, which is written.
static void Buffers(VkDeviceSize first_bytes, VkDeviceSize inside) {
  VkBuffer first, second;
  const VkBufferCreateInfo first_info = BufferInfo(first_bytes), second_info = BufferInfo(4096);
  OK(vkCreateBuffer(device, &first_info, nullptr, &first));
  OK(vkCreateBuffer(device, &second_info, nullptr, &second));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, second, &needs);
  NEEDS(inside % needs.alignment == 0);
  const VkDeviceMemory memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, first, memory, inside));
  OK(vkBindBufferMemory(device, second, memory, 0));
  const Buffer target = MakeBuffer(4096);
  Begin();
  vkCmdFillBuffer(commands, second, 0, 4096, 7);
  CmdAfterWrite();
  const VkBufferCopy all = {0, 0, first_bytes};
  vkCmdCopyBuffer(commands, first, target.handle, 1, &all);
  Run();
  vkDestroyBuffer(device, first, nullptr);
  vkDestroyBuffer(device, second, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Destroy(target);
}

static void Images() {
  VkImage images[2];
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.flags = VK_IMAGE_CREATE_ALIAS_BIT;
  for (VkImage& image : images) OK(vkCreateImage(device, &info, nullptr, &image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, images[0], &needs);
  const VkDeviceMemory memory = Allocate(needs, 0);
  for (VkImage image : images) OK(vkBindImageMemory(device, image, memory, 0));
  const Buffer source = MakeStaging(1024), target = MakeBuffer(1024);
  Begin();
  for (VkImage image : images) {
    const VkImageMemoryBarrier barrier =
        ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL,
                     VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
  }
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};
  vkCmdCopyBufferToImage(commands, source.handle, images[1], VK_IMAGE_LAYOUT_GENERAL, 1, &all);
  CmdAfterWrite();
  vkCmdCopyImageToBuffer(commands, images[0], VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &all);
  Run();
  for (VkImage image : images) vkDestroyImage(device, image, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Destroy(source);
  Destroy(target);
}

static void BytesUnderTwoNames() {
  Open();
  Buffers(4096, 0);
  Buffers(1024, 1024);
  Images();
  Close();
}

// Aliases that may be read although another one was written since: images of the same parameters that
// are made for it, an image of linear tiling, buffers, and an image of which another part was written.
static void CmdBarrier() {
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

static void CmdMove(VkImage image, VkImageLayout from, VkImageLayout to) {
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, from, to, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
}

static void CmdRead(VkImage image, VkImageLayout layout, VkBuffer target) {
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  vkCmdCopyImageToBuffer(commands, image, layout, target, 1, &region);
}

static void ContentOfAliases() {
  constexpr VkDeviceSize kBytes = kAliasSize * kAliasSize * 4;
  Open();
  const Buffer source = MakeStaging(kBytes), target = MakeBuffer(3 * kBytes);

  // Made alike, and to be aliases: what was written by the one is read by the other. Each keeps a
  // layout of its own.
  VkImageCreateInfo info = ImageInfo(kAliasSize, kAliasSize);
  info.flags = VK_IMAGE_CREATE_ALIAS_BIT;
  const Image first = MakeImage(info);
  const VkImage second = MakeAlias(first, info);
  Begin();
  CmdMove(first.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  CmdMove(second, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kAliasSize, kAliasSize, 1};
  vkCmdCopyBufferToImage(commands, source.handle, first.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                         &region);
  CmdBarrier();
  CmdRead(second, VK_IMAGE_LAYOUT_GENERAL, target.handle);
  Run();

  // A linear image and a buffer.
  info = ImageInfo(kAliasSize, kAliasSize);
  info.tiling = VK_IMAGE_TILING_LINEAR;
  const Image linear = MakeImage(info);
  const VkBuffer bytes = MakeAlias(Buffer{VK_NULL_HANDLE, linear.memory}, 0, kBytes);
  Begin();
  CmdMove(linear.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkBufferCopy copy = {0, 0, kBytes};
  vkCmdCopyBuffer(commands, source.handle, bytes, 1, &copy);
  CmdBarrier();
  CmdRead(linear.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle);
  Run();

  // Two buffers.
  const Buffer one = MakeBuffer(kBytes);
  const VkBuffer other = MakeAlias(one, 0, kBytes);
  Begin();
  vkCmdCopyBuffer(commands, source.handle, one.handle, 1, &copy);
  CmdBarrier();
  vkCmdFillBuffer(commands, other, 0, 16, 1);
  CmdBarrier();
  vkCmdCopyBuffer(commands, one.handle, target.handle, 1, &copy);
  Run();

  // The write by the alias comes first, and behind the image, into bytes that it may not have.
  const VkDeviceSize behind = 3 * kAliasSize * kAliasSize;
  const Image image = MakeImage(ImageInfo(kAliasSize, kAliasSize / 2));
  VkImageCreateInfo larger = ImageInfo(kAliasSize, kAliasSize);
  larger.mipLevels = 2;
  const Image levels = MakeImage(larger);
  const VkBuffer part = MakeAlias(Buffer{VK_NULL_HANDLE, levels.memory}, behind, 64);
  Begin();
  vkCmdFillBuffer(commands, part, 0, 64, 1);
  CmdBarrier();
  const VkImageMemoryBarrier discard = Discard(levels.handle, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &discard);
  CmdUpload(source.handle, levels.handle);
  CmdDownload(levels.handle, target.handle);
  Run();

  vkDestroyBuffer(device, part, nullptr);
  vkDestroyBuffer(device, other, nullptr);
  vkDestroyBuffer(device, bytes, nullptr);
  vkDestroyImage(device, second, nullptr);
  for (const Image& made : {first, linear, image, levels}) Destroy(made);
  for (const Buffer& made : {source, target, one}) Destroy(made);
  Close();
}

int main() {
  AliasesInTurn();
  BytesUnderTwoNames();
  ContentOfAliases();
}
