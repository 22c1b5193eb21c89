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

// A command is recorded that uses the resource: it must have memory. `argument`: its name there.
void CheckBound(VkCall& call, Resource& resource, const char* argument);
// For what is recorded: that the memory still lives is looked at when it is submitted.
inline void CheckBoundOnce(VkCall& call, Resource& resource, const char* argument) {
  if (!ScopedOf(resource).bound) [[unlikely]]
    CheckBound(call, resource, argument);
}

}  // namespace gpusan::vulkan
