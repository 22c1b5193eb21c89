// Buffers and their views.
#pragma once

#include "hooks/vulkan/memory/creation_checks.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// Bit of Resource::native_flags of a buffer, above its VkBufferUsageFlags: the buffer was bound to
// memory, or is sparse.
inline constexpr uint64_t kHasMemory = uint64_t{1} << 32;

struct CreateBuffer {
  void Before(VkCall& call, VkDevice, const VkBufferCreateInfo* info, const VkAllocationCallbacks*,
              VkBuffer*) {
    CheckBufferInfo(call, *info);
  }
  AfterOf<PFN_vkCreateBuffer> After;
};
struct DestroyBuffer {
  static bool TryFast(FastCall& call, VkDevice device, VkBuffer buffer,
                      const VkAllocationCallbacks* allocator);
  BeforeOf<PFN_vkDestroyBuffer> Before;
};
struct CreateBufferView {
  BeforeOf<PFN_vkCreateBufferView> Before;
  AfterOf<PFN_vkCreateBufferView> After;
};
using DestroyBufferView = DestroyHeld<ObjectKind::kBufferView, VkBufferView>;
struct GetBufferDeviceAddress {
  BeforeOf<PFN_vkGetBufferDeviceAddress> Before;
  AfterOf<PFN_vkGetBufferDeviceAddress> After;
};

// Reports usage-missing: the buffer lacks the usage flag `name`. `argument`: the buffer's name in
// the call.
[[gnu::cold]] void ReportBufferUsage(VkCall& call, const Resource& buffer, const char* name,
                                     const char* argument);
inline void CheckBufferUsage(VkCall& call, const Resource& buffer, VkBufferUsageFlags needed,
                             const char* name, const char* argument) {
  if ((BufferOf(buffer).usage & needed) == 0) [[unlikely]]
    ReportBufferUsage(call, buffer, name, argument);
}

// Returns false, after adding a finding, if the buffer lacks some of the bytes. `vuid`: the end of
// the valid usage, after the name of the command.
[[gnu::cold]] void ReportBufferBytes(VkCall& call, const Resource& buffer, uint64_t offset,
                                     uint64_t bytes, const char* vuid);
inline bool HasBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes,
                     const char* vuid) {
  if (offset <= buffer.bytes && bytes <= buffer.bytes - offset) [[likely]]
    return true;
  ReportBufferBytes(call, buffer, offset, bytes, vuid);
  return false;
}
// Adds a finding if a number for the buffer, `name`, is not a multiple of `alignment`, a power of
// two.
[[gnu::cold]] void ReportAlignment(VkCall& call, const Resource& buffer, const char* name,
                                   uint64_t value, uint64_t alignment, const char* vuid);
inline void CheckAligned(VkCall& call, const Resource& buffer, const char* name, uint64_t value,
                         uint64_t alignment, const char* vuid) {
  if ((value & (alignment - 1)) != 0) [[unlikely]]
    ReportAlignment(call, buffer, name, value, alignment, vuid);
}

}  // namespace gpusan::vulkan
