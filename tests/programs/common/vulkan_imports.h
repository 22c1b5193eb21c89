// Host memory that a program imports as device memory (VK_EXT_external_memory_host).
#pragma once

#include "common/vulkan.h"

// Opens a device that imports host memory at pages.
[[maybe_unused]] static void OpenForImports() {
  Open({{VK_KHR_EXTERNAL_MEMORY_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME}});
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &host};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  NEEDS(host.minImportedHostPointerAlignment <= 4096);
}

constexpr auto kHostBlock = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

// The types of memory that the host memory can be imported as.
[[maybe_unused]] static uint32_t ImportTypes(const void* block) {
  const auto get = reinterpret_cast<PFN_vkGetMemoryHostPointerPropertiesEXT>(
      vkGetDeviceProcAddr(device, "vkGetMemoryHostPointerPropertiesEXT"));
  VkMemoryHostPointerPropertiesEXT properties = {
      VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  OK(get(device, kHostBlock, block, &properties));
  return properties.memoryTypeBits;
}

// For vkAllocateMemory. `import` and the block must outlive the result.
[[maybe_unused]] static VkMemoryAllocateInfo ImportInfo(void* block, VkDeviceSize bytes,
                                                        VkImportMemoryHostPointerInfoEXT* import) {
  *import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import->handleType = kHostBlock;
  import->pHostPointer = block;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, import};
  info.allocationSize = bytes;
  info.memoryTypeIndex = MemoryType(ImportTypes(block), kHostMemory);
  return info;
}

// A buffer over imported memory.
[[maybe_unused]] static VkBuffer MakeImportedBuffer(VkDeviceMemory memory, VkDeviceSize bytes) {
  VkBuffer buffer = MakeExternal(bytes, kHostBlock);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  OK(vkBindBufferMemory(device, buffer, memory, 0));
  return buffer;
}
