// Memory that is exported as a file descriptor and imported again, and host memory that is
// imported.
#pragma once

#include <unistd.h>

#include "common/vulkan.h"

constexpr auto kOpaque = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

[[maybe_unused]] static void OpenForExports() {
  Wanted wanted;
  wanted.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
  Open(wanted);
}

[[maybe_unused]] static VkDeviceMemory AllocateForExport(VkDeviceSize bytes, uint32_t type) {
  VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO};
  exported.handleTypes = kOpaque;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &exported};
  info.allocationSize = bytes;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

// Returns a descriptor that the caller closes or imports.
[[maybe_unused]] static int Export(VkDeviceMemory memory) {
  const auto get =
      reinterpret_cast<PFN_vkGetMemoryFdKHR>(vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
  const VkMemoryGetFdInfoKHR info = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, memory,
                                     kOpaque};
  int descriptor = -1;
  OK(get(device, &info, &descriptor));
  return descriptor;
}

// Exports the memory, for an import. The caller sets size and type. `import` must outlive the
// result.
[[maybe_unused]] static VkMemoryAllocateInfo ImportOf(VkDeviceMemory memory,
                                                      VkImportMemoryFdInfoKHR* import) {
  *import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  import->handleType = kOpaque;
  import->fd = Export(memory);
  return {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, import};
}

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
