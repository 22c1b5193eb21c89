// Defect: An image is bound to memory for an export, but its creation names another type.
// Fix: The creation of the image names the type of the export.
// EXPECT error binding-invalid vkBindImageMemory at BIND
// EXPECT-FACT vuid=VUID-vkBindImageMemory-memory-02728
#include "common/vulkan.h"

int main() {
  Wanted wanted;
  wanted.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  Open(wanted);
  VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
#ifdef DEFECT
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
#endif
  VkImageCreateInfo info = ImageInfo(64, 64);
  info.pNext = &external;
  VkImage image;
  OK(vkCreateImage(device, &info, nullptr, &image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, image, &needs);
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &exported};
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  // @BIND
  OK(vkBindImageMemory(device, image, memory, 0));
  Close(image, memory);
}
