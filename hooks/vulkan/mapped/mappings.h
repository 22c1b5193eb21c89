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
  void Before(VkCall& call, VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
              VkDeviceSize size, VkMemoryMapFlags flags, void** data);
  void After(VkCall& call, VkResult code, VkDevice device, VkDeviceMemory memory,
             VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags, void** data);
  Resource* memory = nullptr;
};
struct UnmapMemory {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkDeviceMemory memory) {
    UseMemoryAlone(call, uses, memory);
  }
  void Before(VkCall& call, VkDevice device, VkDeviceMemory memory);
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
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkMappedMemoryRange* ranges);
};
struct InvalidateMappedMemoryRanges {
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkMappedMemoryRange* ranges);
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count,
             const VkMappedMemoryRange* ranges);
};
struct FreeMemory {
  static bool TryFast(FastCall& call, VkDevice device, VkDeviceMemory memory,
                      const VkAllocationCallbacks* allocator);
  void Before(VkCall& call, VkDevice device, VkDeviceMemory memory,
              const VkAllocationCallbacks* allocator);
};

}  // namespace gpusan::vulkan
