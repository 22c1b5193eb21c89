// Device memory: allocation and binding. Mappings and vkFreeMemory are in mapped/mappings.h.
#pragma once

#include "hooks/vulkan/memory/creation_checks.h"
#include "hooks/vulkan/memory/exported_memory.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// The types of external handles that vkGetMemoryFdKHR returns.
inline constexpr VkExternalMemoryHandleTypeFlags kDescriptors =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;

struct AllocateMemory {
  static bool TryFast(FastCall& call, VkDevice, const VkMemoryAllocateInfo* info,
                      const VkAllocationCallbacks*, VkDeviceMemory* memory) {
    return info != nullptr && memory != nullptr && HostImportOf(*info) == nullptr &&
           DescriptorImportOf(*info) == nullptr &&
           IsCheckedAllocation(static_cast<const Device&>(*call.scope), *info);
  }
  void Before(VkCall& call, VkDevice, const VkMemoryAllocateInfo* info,
              const VkAllocationCallbacks*, VkDeviceMemory*) {
    CheckAllocateInfo(call, *info);
    // The import closes the descriptor.
    if (const auto* import = DescriptorImportOf(*info); import != nullptr) [[unlikely]]
      exporter = FindExporter(call, *info, *import);
  }
  bool TryFastAfter(FastCall& call, VkDevice device, const VkMemoryAllocateInfo* info,
                    const VkAllocationCallbacks* allocator, VkDeviceMemory* memory);
  AfterOf<PFN_vkAllocateMemory> After;

  WeakRef<Resource> exporter;  // MemoryState::exporter
};
// An export of memory as a file descriptor.
struct GetMemoryFd {
  BeforeOf<PFN_vkGetMemoryFdKHR> Before;
  AfterOf<PFN_vkGetMemoryFdKHR> After;
};
// One binding of any of the bind calls. Checked before the call, stored after its success.
struct BindingUse {
  Resource* resource = nullptr;
  Resource* memory = nullptr;
  uint64_t offset = 0, bytes = 0;
  bool foreign = false;  // bound to memory of a swapchain, or a plane of a disjoint image
};
struct BindBufferMemory {
  BeforeOf<PFN_vkBindBufferMemory> Before;
  AfterOf<PFN_vkBindBufferMemory> After;
  BindingUse use;
};
struct BindImageMemory {
  bool TryFast(FastCall& call, VkDevice device, VkImage image, VkDeviceMemory memory,
               VkDeviceSize offset);
  bool TryFastAfter(FastCall& call, VkDevice device, VkImage image, VkDeviceMemory memory,
                    VkDeviceSize offset);
  BeforeOf<PFN_vkBindImageMemory> Before;
  AfterOf<PFN_vkBindImageMemory> After;
  BindingUse use;
};
struct BindBufferMemory2 {
  BeforeOf<PFN_vkBindBufferMemory2> Before;
  AfterOf<PFN_vkBindBufferMemory2> After;
  absl::InlinedVector<BindingUse, 4> uses;
};
struct BindImageMemory2 {
  BeforeOf<PFN_vkBindImageMemory2> Before;
  AfterOf<PFN_vkBindImageMemory2> After;
  absl::InlinedVector<BindingUse, 4> uses;
};

// Reports the use of a resource without live memory by a recorded command. `argument`: the
// resource's name in the call.
void CheckBound(VkCall& call, Resource& resource, const char* argument);
// The same for recording, if the resource was never bound. Whether the memory still lives is
// checked at submission.
inline void CheckBoundOnce(VkCall& call, Resource& resource, const char* argument) {
  if (!ScopedOf(resource).bound) [[unlikely]]
    CheckBound(call, resource, argument);
}

}  // namespace gpusan::vulkan
