// Defect: A buffer is bound to memory for an export, but its creation does not name the type.
// Fix: The creation of the buffer names the type in VkExternalMemoryBufferCreateInfo.
// EXPECT error binding-invalid vkBindBufferMemory at BIND
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-memory-02726
#include "common/vulkan.h"

int main() {
  Wanted wanted;
  wanted.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  Open(wanted);
  VkBufferCreateInfo info = BufferInfo(4096);
#ifndef DEFECT
  VkExternalMemoryBufferCreateInfo external = {
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  info.pNext = &external;
#endif
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &exported};
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  // @BIND
  OK(vkBindBufferMemory(device, buffer, memory, 0));
  Close(buffer, memory);
}
