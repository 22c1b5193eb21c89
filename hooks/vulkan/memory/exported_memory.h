// Memory that a device exports as a file descriptor and imports again. Thread-safe.
#pragma once

#include <vulkan/vulkan_core.h>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// The import of a descriptor in the chain of an allocation; nullptr: there is none.
inline const VkImportMemoryFdInfoKHR* DescriptorImportOf(const VkMemoryAllocateInfo& info) {
  if (info.pNext == nullptr) [[likely]]
    return nullptr;
  return FindInChain<VkImportMemoryFdInfoKHR>(info.pNext,
                                              VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
}

// Records that the descriptor names the memory. Has no effect if the file does not identify the
// memory: the descriptors of some drivers all name one device file.
void NoteExported(Resource& memory, int descriptor);

// Returns the live memory of the process that the imported descriptor names, if the device that
// imports it has exported it; otherwise an empty reference. Adds a finding if the import has
// another size or memory type than the exported memory. Call it before the import, which closes the
// descriptor.
WeakRef<Resource> FindExporter(VkCall& call, const VkMemoryAllocateInfo& info,
                               const VkImportMemoryFdInfoKHR& import);

}  // namespace gpusan::vulkan
