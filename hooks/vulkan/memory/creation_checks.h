// Checks of the values that memory, buffers, images and samplers are created with, against each
// other and against the limits and features of the device.
#pragma once

#include <algorithm>
#include <bit>

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// The functions below are thread-safe, and add a finding for a value that the valid usages forbid.
// They do not check values that structures in the chain may change.
void CheckBufferInfo(VkCall& call, const VkBufferCreateInfo& info);
void CheckSamplerInfo(VkCall& call, const VkSamplerCreateInfo& info);
void CheckAllocateInfo(VkCall& call, const VkMemoryAllocateInfo& info);
// The same after a success. A failure for lack of memory is reported as one.
void CheckAllocated(VkCall& call, const VkMemoryAllocateInfo& info);
void CheckImageInfo(VkCall& call, const VkImageCreateInfo& info);

// The largest extent that the device supports for all images of the type.
inline uint32_t LargestExtent(const VkPhysicalDeviceLimits& limits, const VkImageCreateInfo& info) {
  if (info.imageType == VK_IMAGE_TYPE_3D) return limits.maxImageDimension3D;
  if (info.imageType == VK_IMAGE_TYPE_1D) return limits.maxImageDimension1D;
  return (info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0 ? limits.maxImageDimensionCube
                                                                 : limits.maxImageDimension2D;
}

// The number of mip levels down to 1x1x1.
inline uint32_t CompleteMips(const VkExtent3D& extent) {
  return static_cast<uint32_t>(
      std::bit_width(std::max({extent.width, extent.height, extent.depth})));
}

// Whether CheckImageInfo adds no finding, as far as it is known without a query. `chain`: as by
// HashOfCreationChain.
inline bool IsCheckedImage(const Device& device, const VkImageCreateInfo& info, uint64_t chain) {
  // Numbers of 0 become the largest ones.
  const uint32_t most = LargestExtent(device.limits, info);
  const uint32_t deep = info.imageType == VK_IMAGE_TYPE_3D ? most : 1;
  const uint32_t high = info.imageType == VK_IMAGE_TYPE_1D ? 1 : most;
  const uint32_t layers =
      info.imageType == VK_IMAGE_TYPE_3D ? 1 : device.limits.maxImageArrayLayers;
  return info.extent.width - 1 < most && info.extent.height - 1 < high &&
         info.extent.depth - 1 < deep && info.mipLevels - 1 < CompleteMips(info.extent) &&
         info.arrayLayers - 1 < layers &&
         device.known_images.Has(KnownImages::KindOf(info) + chain);
}
// The same for an image with a pNext chain.
[[gnu::noinline]] bool IsCheckedChain(const Device& device, const VkImageCreateInfo& info);
inline bool IsCheckedImage(const Device& device, const VkImageCreateInfo& info) {
  if (info.pNext != nullptr) [[unlikely]]
    return IsCheckedChain(device, info);
  return IsCheckedImage(device, info, 0);
}

// The import of host memory in the chain of an allocation; nullptr: there is none.
inline const VkImportMemoryHostPointerInfoEXT* HostImportOf(const VkMemoryAllocateInfo& info) {
  if (info.pNext == nullptr) [[likely]]
    return nullptr;
  return FindInChain<VkImportMemoryHostPointerInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
}

// Whether CheckAllocateInfo and CheckAllocated add no finding. Precondition: the allocation imports
// no host memory.
inline bool IsCheckedAllocation(const Device& device, const VkMemoryAllocateInfo& info) {
  return info.memoryTypeIndex < device.memory.memoryTypeCount &&
         info.allocationSize - 1 <
             device.memory.memoryHeaps[device.memory.memoryTypes[info.memoryTypeIndex].heapIndex]
                 .size;
}

}  // namespace gpusan::vulkan
