// Mappings of device memory: mapped, unmapped, flushed, invalidated; and vkFreeMemory, which
// unmaps.
#pragma once

#include "hooks/vulkan/objects/lone_uses.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// The call uses the memory until `uses` is destroyed. Adds a finding if another thread is inside of
// a call that maps or unmaps it.
void UseMemoryAlone(VkCall& call, UsesOfCall& uses, VkDeviceMemory memory);

struct MapMemory {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkDeviceMemory memory,
                       VkDeviceSize, VkDeviceSize, VkMemoryMapFlags, void**) {
    UseMemoryAlone(call, uses, memory);
  }
  BeforeOf<PFN_vkMapMemory> Before;
  AfterOf<PFN_vkMapMemory> After;
  Resource* memory = nullptr;
};
struct UnmapMemory {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkDeviceMemory memory) {
    UseMemoryAlone(call, uses, memory);
  }
  BeforeOf<PFN_vkUnmapMemory> Before;
};
// `info`: VkMemoryMapInfo.
struct MapMemory2 {
  void Before(VkCall& call, VkDevice device, const void* info, void** data);
  void After(VkCall& call, VkResult code, VkDevice device, const void* info, void** data);
  MapMemory map;
};
// `info`: VkMemoryUnmapInfo.
struct UnmapMemory2 {
  void Before(VkCall& call, VkDevice device, const void* info);
};
struct FlushMappedMemoryRanges {
  BeforeOf<PFN_vkFlushMappedMemoryRanges> Before;
};
struct InvalidateMappedMemoryRanges {
  BeforeOf<PFN_vkInvalidateMappedMemoryRanges> Before;
  AfterOf<PFN_vkInvalidateMappedMemoryRanges> After;
};
struct FreeMemory {
  static bool TryFast(FastCall& call, VkDevice device, VkDeviceMemory memory,
                      const VkAllocationCallbacks* allocator);
  BeforeOf<PFN_vkFreeMemory> Before;
};

}  // namespace gpusan::vulkan
