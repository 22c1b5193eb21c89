// What is written under one name is read under another: two buffers at the same bytes, a buffer
// inside another, and two images that are made to share what they hold.
#include "common/vulkan_barriers.h"

namespace {

void CmdAfterWrite() {
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

// The first one lies `inside` bytes behind the start of the second, which is written.
void Buffers(VkDeviceSize first_bytes, VkDeviceSize inside) {
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

void Images() {
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

}  // namespace

int main() {
  Open();
  Buffers(4096, 0);
  Buffers(1024, 1024);
  Images();
  Close();
}
