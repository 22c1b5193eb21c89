// Mappings of device memory: mapped, unmapped, flushed, invalidated; and vkFreeMemory, which
// unmaps.
#pragma once

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct MapMemory {
  void Before(VkCall& call, VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
              VkDeviceSize size, VkMemoryMapFlags flags, void** data);
  void After(VkCall& call, VkResult code, VkDevice device, VkDeviceMemory memory,
             VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags, void** data);
  Resource* memory = nullptr;
};
struct UnmapMemory {
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
