// Defect: A buffer is bound to imported host memory, but its creation does not name this type.
// Fix: The creation of the buffer names the type in VkExternalMemoryBufferCreateInfo.
// EXPECT error binding-invalid vkBindBufferMemory2 at BIND
// EXPECT-FACT vuid=VUID-VkBindBufferMemoryInfo-memory-02985
#include "common/vulkan_external.h"

int main() {
  OpenForImports();
  void* block = aligned_alloc(4096, 8192);
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo allocate = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  VkBufferCreateInfo info = BufferInfo(8192);
#ifndef DEFECT
  VkExternalMemoryBufferCreateInfo external = {
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = kHostBlock;
  info.pNext = &external;
#endif
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkBindBufferMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO};
  bind.buffer = buffer;
  bind.memory = memory;
  // @BIND
  OK(vkBindBufferMemory2(device, 1, &bind));
  Close(buffer, memory);
  free(block);
}
