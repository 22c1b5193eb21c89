// Memory that is exported as a file descriptor, and imported again.
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
