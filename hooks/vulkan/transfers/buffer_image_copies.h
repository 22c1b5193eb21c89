// Copies between buffers and images: checked and recorded when the program records them.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// The fast path of a copy of one region: records a copy of tightly packed color that needs no
// check. Returns the scope of the command buffer; nullptr, without side effects, if the call needs
// the slow path. `call`: by value, because the caller makes the real call in tail position.
template <bool upload>
[[gnu::noinline]] Scope* CopyFast(FastCall call, VkCommandBuffer commands, VkBuffer buffer,
                                  VkImage image, VkImageLayout layout,
                                  const VkBufferImageCopy& copy);
extern template Scope* CopyFast<true>(FastCall, VkCommandBuffer, VkBuffer, VkImage, VkImageLayout,
                                      const VkBufferImageCopy&);
extern template Scope* CopyFast<false>(FastCall, VkCommandBuffer, VkBuffer, VkImage, VkImageLayout,
                                       const VkBufferImageCopy&);

struct CmdCopyBufferToImage {
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             VkBuffer source, VkImage destination,
                                             VkImageLayout layout, uint32_t count,
                                             const VkBufferImageCopy* regions) {
    if (count != 1 || regions == nullptr) [[unlikely]]
      return false;
    call.scope = CopyFast<true>(call, commands, source, destination, layout, *regions);
    return call.scope != nullptr;
  }
  BeforeOf<PFN_vkCmdCopyBufferToImage> Before;
};
struct CmdCopyBufferToImage2 {
  BeforeOf<PFN_vkCmdCopyBufferToImage2> Before;
};
struct CmdCopyImageToBuffer {
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             VkImage source, VkImageLayout layout,
                                             VkBuffer destination, uint32_t count,
                                             const VkBufferImageCopy* regions) {
    if (count != 1 || regions == nullptr) [[unlikely]]
      return false;
    call.scope = CopyFast<false>(call, commands, destination, source, layout, *regions);
    return call.scope != nullptr;
  }
  BeforeOf<PFN_vkCmdCopyImageToBuffer> Before;
};
struct CmdCopyImageToBuffer2 {
  BeforeOf<PFN_vkCmdCopyImageToBuffer2> Before;
};

}  // namespace gpusan::vulkan
