// The structures in the pNext chain of a create info, and their effect on the checks of its values.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <optional>

namespace gpusan::vulkan {

// Returns a hash of what the chain changes for the formats and limits of an image: 0 if nothing;
// nullopt if gpusan does not know a structure of the chain, which may change any check. Chains
// with equal hashes count as one. Thread-safe.
std::optional<uint64_t> HashOfCreationChain(const void* chain);

// Whether no structure of the chain changes a check. Thread-safe.
inline bool IsPlainChain(const void* chain) {
  return chain == nullptr || HashOfCreationChain(chain) == uint64_t{0};
}

// Calls vkGetPhysicalDeviceImageFormatProperties2 with the structures of the chain that change its
// result. Precondition: HashOfCreationChain knows the chain.
VkResult QueryImageFormat(PFN_vkGetPhysicalDeviceImageFormatProperties2 query,
                          VkPhysicalDevice physical, const VkImageCreateInfo& info,
                          VkImageFormatProperties* most);

}  // namespace gpusan::vulkan
