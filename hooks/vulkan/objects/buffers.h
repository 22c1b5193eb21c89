// Buffers and their views.
#pragma once

#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct CreateBuffer {
  void After(VkCall& call, VkResult code, VkDevice device, const VkBufferCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkBuffer* buffer);
};
struct DestroyBuffer {
  static bool TryFast(FastCall& call, VkDevice device, VkBuffer buffer,
                      const VkAllocationCallbacks* allocator);
  void Before(VkCall& call, VkDevice device, VkBuffer buffer,
              const VkAllocationCallbacks* allocator);
};
struct CreateBufferView {
  void Before(VkCall& call, VkDevice device, const VkBufferViewCreateInfo* info,
              const VkAllocationCallbacks* allocator, VkBufferView* view);
  void After(VkCall& call, VkResult code, VkDevice device, const VkBufferViewCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkBufferView* view);
};
using DestroyBufferView = DestroyHeld<ObjectKind::kBufferView, VkBufferView>;
struct GetBufferDeviceAddress {
  void Before(VkCall& call, VkDevice device, const VkBufferDeviceAddressInfo* info);
  void After(VkCall& call, VkDeviceAddress address, VkDevice device,
             const VkBufferDeviceAddressInfo* info);
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

}  // namespace gpusan::vulkan
