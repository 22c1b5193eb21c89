// The structures in the pNext chains of create infos that gpusan knows.
#include "hooks/vulkan/memory/creation_chains.h"

#include <algorithm>
#include <iterator>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/definition_hash.h"

namespace gpusan::vulkan {
namespace {

// Structures that change neither the sizes and flags of a create info nor what they may be. The
// headers may lack those with a number.
constexpr VkStructureType kPlain[] = {
    // VkMemoryAllocateInfo
    VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
    VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV,
    VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
    VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO,
    // VkBufferCreateInfo
    VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_BUFFER_CREATE_INFO_NV,
    VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO,
    VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_CREATE_INFO_EXT,
    static_cast<VkStructureType>(1000470006),  // VkBufferUsageFlags2CreateInfo
    // VkImageCreateInfo
    VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_IMAGE_CREATE_INFO_NV,
};

constexpr auto kFormatList = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO;
constexpr auto kStencilUsage = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO;

uint64_t HashOf(const VkImageFormatListCreateInfo& list) {
  DefinitionHash hash{kFormatList, list.viewFormatCount};
  for (uint32_t i = 0; list.pViewFormats != nullptr && i < list.viewFormatCount; ++i)
    hash.Add(static_cast<uint64_t>(list.pViewFormats[i]));
  return hash.value();
}

}  // namespace

std::optional<uint64_t> HashOfCreationChain(const void* chain) {
  uint64_t all = 0;
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType == kFormatList) {
      all += HashOf(reinterpret_cast<const VkImageFormatListCreateInfo&>(*at));
    } else if (at->sType == kStencilUsage) {
      const auto& usage = reinterpret_cast<const VkImageStencilUsageCreateInfo&>(*at);
      all += DefinitionHash{kStencilUsage, usage.stencilUsage}.value();
    } else if (std::find(std::begin(kPlain), std::end(kPlain), at->sType) == std::end(kPlain)) {
      return std::nullopt;
    }
  }
  return all;
}

VkResult QueryImageFormat(PFN_vkGetPhysicalDeviceImageFormatProperties2 query,
                          VkPhysicalDevice physical, const VkImageCreateInfo& info,
                          VkImageFormatProperties* most) {
  VkPhysicalDeviceImageFormatInfo2 wanted = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
  wanted.format = info.format;
  wanted.type = info.imageType;
  wanted.tiling = info.tiling;
  wanted.usage = info.usage;
  wanted.flags = info.flags;
  VkImageFormatListCreateInfo list;
  VkImageStencilUsageCreateInfo stencil;
  if (const auto* given = FindInChain<VkImageFormatListCreateInfo>(info.pNext, kFormatList)) {
    list = *given;
    list.pNext = wanted.pNext;
    wanted.pNext = &list;
  }
  if (const auto* given = FindInChain<VkImageStencilUsageCreateInfo>(info.pNext, kStencilUsage)) {
    stencil = *given;
    stencil.pNext = wanted.pNext;
    wanted.pNext = &stencil;
  }
  VkImageFormatProperties2 result = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
  const VkResult code = query(physical, &wanted, &result);
  *most = result.imageFormatProperties;
  return code;
}

}  // namespace gpusan::vulkan
