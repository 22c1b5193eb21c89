// Defect: One call binds an image twice, to two ranges of memory.
// Fix: The second element of the call binds the second image.
// EXPECT error binding-invalid vkBindImageMemory2 at BIND
// EXPECT-FACT vuid=VUID-vkBindImageMemory2-pBindInfos-04006
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const VkImageCreateInfo info = ImageInfo(64, 64);
  VkImage images[2];
  for (VkImage& image : images) OK(vkCreateImage(device, &info, nullptr, &image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, images[0], &needs);
  vkGetImageMemoryRequirements(device, images[1], &needs);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 2 * needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  VkBindImageMemoryInfo binds[2] = {};
  for (int i = 0; i < 2; ++i) {
    binds[i].sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO;
    binds[i].image = images[i];
    binds[i].memory = memory;
    binds[i].memoryOffset = i * needs.size;
  }
#ifdef DEFECT
  binds[1].image = images[0];
#endif
  // @BIND
  vkBindImageMemory2(device, 2, binds);
  for (VkImage image : images) vkDestroyImage(device, image, nullptr);
  vkFreeMemory(device, memory, nullptr);
  Close();
}
