// Structures of Vulkan that the oldest supported headers lack, as facts: own types with the names
// of the specification, so that they fit beside headers of any version. Commands that take them
// have rows with GPUSAN_VK_LATER. tests/vulkan/coverage.py compares both with the registry.
#pragma once

#include <vulkan/vulkan_core.h>

#include "hooks/vulkan/call/call.h"
#include "tracker/rules/events/null_argument.h"

namespace gpusan::vulkan {
namespace later {

inline constexpr auto kBufferUsageFlags2CreateInfo = static_cast<VkStructureType>(1000470006);
inline constexpr auto kImageUsageFlags2CreateInfo = static_cast<VkStructureType>(1000668002);
inline constexpr auto kImageViewUsage2CreateInfo = static_cast<VkStructureType>(1000668003);
inline constexpr auto kImageStencilUsage2CreateInfo = static_cast<VkStructureType>(1000668005);
inline constexpr auto kImageCreateFlags2CreateInfo = static_cast<VkStructureType>(1000668001);
inline constexpr auto kPresentId2 = static_cast<VkStructureType>(1000479001);

struct VkBufferUsageFlags2CreateInfo {
  VkStructureType sType;
  const void* pNext;
  uint64_t usage;
};
struct VkImageUsageFlags2CreateInfoKHR {
  VkStructureType sType;
  void* pNext;
  uint64_t usage;
};
struct VkImageViewUsage2CreateInfoKHR {
  VkStructureType sType;
  void* pNext;
  uint64_t usage;
};
struct VkImageStencilUsage2CreateInfoKHR {
  VkStructureType sType;
  void* pNext;
  uint64_t stencilUsage;
};
struct VkImageCreateFlags2CreateInfoKHR {
  VkStructureType sType;
  void* pNext;
  uint64_t flags;
};
struct VkShaderCreateInfoEXT {
  VkStructureType sType;
  const void* pNext;
  VkFlags flags;
  VkShaderStageFlagBits stage;
  VkShaderStageFlags nextStage;
  uint32_t codeType;
  size_t codeSize;
  const void* pCode;
  const char* pName;
  uint32_t setLayoutCount;
  const VkDescriptorSetLayout* pSetLayouts;
  uint32_t pushConstantRangeCount;
  const VkPushConstantRange* pPushConstantRanges;
  const VkSpecializationInfo* pSpecializationInfo;
};
struct VkDeviceAddressRangeKHR {
  VkDeviceAddress address;
  VkDeviceSize size;
};
struct VkDeviceMemoryCopyKHR {
  VkStructureType sType;
  const void* pNext;
  VkDeviceAddressRangeKHR srcRange;
  VkFlags srcFlags;
  VkDeviceAddressRangeKHR dstRange;
  VkFlags dstFlags;
};
struct VkCopyDeviceMemoryInfoKHR {
  VkStructureType sType;
  const void* pNext;
  uint32_t regionCount;
  const VkDeviceMemoryCopyKHR* pRegions;
};
struct VkDeviceMemoryImageCopyKHR {
  VkStructureType sType;
  const void* pNext;
  VkDeviceAddressRangeKHR addressRange;
  VkFlags addressFlags;
  uint32_t addressRowLength;
  uint32_t addressImageHeight;
  VkImageSubresourceLayers imageSubresource;
  VkImageLayout imageLayout;
  VkOffset3D imageOffset;
  VkExtent3D imageExtent;
};
struct VkCopyDeviceMemoryImageInfoKHR {
  VkStructureType sType;
  const void* pNext;
  VkImage image;
  uint32_t regionCount;
  const VkDeviceMemoryImageCopyKHR* pRegions;
};
struct VkStridedDeviceAddressRangeKHR {
  VkDeviceAddress address;
  VkDeviceSize size;
  VkDeviceSize stride;
};
struct VkDrawIndirect2InfoKHR {
  VkStructureType sType;
  const void* pNext;
  VkStridedDeviceAddressRangeKHR addressRange;
  VkFlags addressFlags;
  uint32_t drawCount;
};
struct VkDrawIndirectCount2InfoKHR {
  VkStructureType sType;
  const void* pNext;
  VkStridedDeviceAddressRangeKHR addressRange;
  VkFlags addressFlags;
  VkDeviceAddressRangeKHR countAddressRange;
  VkFlags countAddressFlags;
  uint32_t maxDrawCount;
};
struct VkDispatchIndirect2InfoKHR {
  VkStructureType sType;
  const void* pNext;
  VkDeviceAddressRangeKHR addressRange;
  VkFlags addressFlags;
};
struct VkMemoryMapInfo {
  VkStructureType sType;
  const void* pNext;
  VkMemoryMapFlags flags;
  VkDeviceMemory memory;
  VkDeviceSize offset;
  VkDeviceSize size;
};
struct VkMemoryUnmapInfo {
  VkStructureType sType;
  const void* pNext;
  VkFlags flags;
  VkDeviceMemory memory;
};
struct VkBindDescriptorSetsInfo {
  VkStructureType sType;
  const void* pNext;
  VkShaderStageFlags stageFlags;
  VkPipelineLayout layout;
  uint32_t firstSet;
  uint32_t descriptorSetCount;
  const VkDescriptorSet* pDescriptorSets;
  uint32_t dynamicOffsetCount;
  const uint32_t* pDynamicOffsets;
};
struct VkPushConstantsInfo {
  VkStructureType sType;
  const void* pNext;
  VkPipelineLayout layout;
  VkShaderStageFlags stageFlags;
  uint32_t offset;
  uint32_t size;
  const void* pValues;
};
struct VkPushDescriptorSetInfo {
  VkStructureType sType;
  const void* pNext;
  VkShaderStageFlags stageFlags;
  VkPipelineLayout layout;
  uint32_t set;
  uint32_t descriptorWriteCount;
  const VkWriteDescriptorSet* pDescriptorWrites;
};
struct VkPushDescriptorSetWithTemplateInfo {
  VkStructureType sType;
  const void* pNext;
  VkDescriptorUpdateTemplate descriptorUpdateTemplate;
  VkPipelineLayout layout;
  uint32_t set;
  const void* pData;
};
struct VkMemoryToImageCopy {
  VkStructureType sType;
  const void* pNext;
  const void* pHostPointer;
  uint32_t memoryRowLength;
  uint32_t memoryImageHeight;
  VkImageSubresourceLayers imageSubresource;
  VkOffset3D imageOffset;
  VkExtent3D imageExtent;
};
struct VkImageToMemoryCopy {
  VkStructureType sType;
  const void* pNext;
  void* pHostPointer;
  uint32_t memoryRowLength;
  uint32_t memoryImageHeight;
  VkImageSubresourceLayers imageSubresource;
  VkOffset3D imageOffset;
  VkExtent3D imageExtent;
};
struct VkCopyMemoryToImageInfo {
  VkStructureType sType;
  const void* pNext;
  VkFlags flags;
  VkImage dstImage;
  VkImageLayout dstImageLayout;
  uint32_t regionCount;
  const VkMemoryToImageCopy* pRegions;
};
struct VkCopyImageToMemoryInfo {
  VkStructureType sType;
  const void* pNext;
  VkFlags flags;
  VkImage srcImage;
  VkImageLayout srcImageLayout;
  uint32_t regionCount;
  const VkImageToMemoryCopy* pRegions;
};
struct VkCopyImageToImageInfo {
  VkStructureType sType;
  const void* pNext;
  VkFlags flags;
  VkImage srcImage;
  VkImageLayout srcImageLayout;
  VkImage dstImage;
  VkImageLayout dstImageLayout;
  uint32_t regionCount;
  const VkImageCopy2* pRegions;
};
struct VkHostImageLayoutTransitionInfo {
  VkStructureType sType;
  const void* pNext;
  VkImage image;
  VkImageLayout oldLayout;
  VkImageLayout newLayout;
  VkImageSubresourceRange subresourceRange;
};
struct VkPresentId2KHR {
  VkStructureType sType;
  const void* pNext;
  uint32_t swapchainCount;
  const uint64_t* pPresentIds;
};
struct VkPresentWait2InfoKHR {
  VkStructureType sType;
  const void* pNext;
  uint64_t presentId;
  uint64_t timeout;
};
struct VkReleaseSwapchainImagesInfoKHR {
  VkStructureType sType;
  const void* pNext;
  VkSwapchainKHR swapchain;
  uint32_t imageIndexCount;
  const uint32_t* pImageIndices;
};
struct VkLatencySleepInfoNV {
  VkStructureType sType;
  const void* pNext;
  VkSemaphore signalSemaphore;
  uint64_t value;
};

// The structure that a required argument points to; nullptr, after adding a finding, if it is NULL.
template <typename T>
const T* Read(VkCall& call, const void* argument, const char* name) {
  if (argument == nullptr) [[unlikely]]
    rules::OnNullArgument({call.info().name, name}, call);
  return static_cast<const T*>(argument);
}

}  // namespace later
}  // namespace gpusan::vulkan
