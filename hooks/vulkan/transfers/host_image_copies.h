// Host image copies: the host copies texels and changes layouts without a queue. It must not touch
// what pending work accesses.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// `info`: VkCopyMemoryToImageInfo.
struct CopyMemoryToImage {
  void Before(VkCall& call, VkDevice device, const void* info);
};
// `info`: VkCopyImageToMemoryInfo.
struct CopyImageToMemory {
  void Before(VkCall& call, VkDevice device, const void* info);
};
// `info`: VkCopyImageToImageInfo.
struct CopyImageToImage {
  void Before(VkCall& call, VkDevice device, const void* info);
};
// `transitions`: VkHostImageLayoutTransitionInfo[count].
struct TransitionImageLayout {
  void Before(VkCall& call, VkDevice device, uint32_t count, const void* transitions);
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count, const void* transitions);
};

}  // namespace gpusan::vulkan
