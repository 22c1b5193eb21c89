// Device memory: allocated, bound, mapped, flushed.
#pragma once

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct AllocateMemory {
  bool Finish(Tracker& tracker, const Place& place, VkDevice device,
              const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* allocator,
              VkDeviceMemory* memory);
  void After(VkCall& call, VkResult code, VkDevice device, const VkMemoryAllocateInfo* info,
             const VkAllocationCallbacks* allocator, VkDeviceMemory* memory);
};
struct FreeMemory {
  static bool Short(Tracker& tracker, const Place& place, VkDevice device, VkDeviceMemory memory,
                    const VkAllocationCallbacks* allocator);
  void Before(VkCall& call, VkDevice device, VkDeviceMemory memory,
              const VkAllocationCallbacks* allocator);
};

// One binding, of whichever call; judged before the call, kept when it succeeded.
struct BindingUse {
  Resource* resource = nullptr;
  Resource* memory = nullptr;
  uint64_t offset = 0, bytes = 0;
  bool foreign = false;  // memory of a swapchain, or a plane of a disjoint image
};
struct BindBufferMemory {
  void Before(VkCall& call, VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
              VkDeviceSize offset);
  void After(VkCall& call, VkResult code, VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
             VkDeviceSize offset);
  BindingUse use;
};
struct BindImageMemory {
  bool Begin(Tracker& tracker, const Place& place, VkDevice device, VkImage image,
             VkDeviceMemory memory, VkDeviceSize offset);
  bool Finish(Tracker& tracker, const Place& place, VkDevice device, VkImage image,
              VkDeviceMemory memory, VkDeviceSize offset);
  void Before(VkCall& call, VkDevice device, VkImage image, VkDeviceMemory memory,
              VkDeviceSize offset);
  void After(VkCall& call, VkResult code, VkDevice device, VkImage image, VkDeviceMemory memory,
             VkDeviceSize offset);
  BindingUse use;
};
struct BindBufferMemory2 {
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkBindBufferMemoryInfo* infos);
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count,
             const VkBindBufferMemoryInfo* infos);
  absl::InlinedVector<BindingUse, 4> uses;
};
struct BindImageMemory2 {
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkBindImageMemoryInfo* infos);
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count,
             const VkBindImageMemoryInfo* infos);
  absl::InlinedVector<BindingUse, 4> uses;
};

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
struct FlushMappedMemoryRanges {
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkMappedMemoryRange* ranges);
};
struct InvalidateMappedMemoryRanges {
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkMappedMemoryRange* ranges);
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count,
             const VkMappedMemoryRange* ranges);
};

// A command is recorded that uses the resource: it must have memory. `argument`: its name there.
void CheckBound(VkCall& call, Resource& resource, const char* argument);
// For what is recorded: that the memory still lives is looked at when it is submitted.
inline void CheckBoundOnce(VkCall& call, Resource& resource, const char* argument) {
  if (!ScopedOf(resource).bound) [[unlikely]]
    CheckBound(call, resource, argument);
}

}  // namespace gpusan::vulkan
