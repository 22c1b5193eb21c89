// Render passes: the accesses of render passes and their subpasses to the attachments.
//
// A subpass counts as one command: its loads, draws and resolves are ordered (Vulkan 1.3 §8).
// Between subpasses, and before and after the render pass, only subpass dependencies order
// accesses. gpusan does not see which texels a draw writes.
#pragma once

#include <atomic>

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/recording/dependency_checks.h"
#include "hooks/vulkan/shaders/render_pass_info.h"

namespace gpusan::vulkan {

// True once a render pass with unknown layout changes has begun: layouts are not compared from
// then on.
inline constinit std::atomic<bool> layouts_unknown{false};

// Begins a secondary command buffer that continues a render pass. Does nothing for dynamic
// rendering, whose attachments are recorded at its begin and end.
void InheritPass(VkCall& call, const VkCommandBufferInheritanceInfo& info, PassInstance* pass);

struct CreateRenderPass {
  void Before(VkCall& call, VkDevice, const VkRenderPassCreateInfo* info,
              const VkAllocationCallbacks*, VkRenderPass*) {
    CheckDependencies(call, *info);
  }
  void After(VkCall& call, VkResult code, VkDevice device, const VkRenderPassCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkRenderPass* pass);
};
struct CreateRenderPass2 {
  void Before(VkCall& call, VkDevice, const VkRenderPassCreateInfo2* info,
              const VkAllocationCallbacks*, VkRenderPass*) {
    CheckDependencies(call, *info);
  }
  void After(VkCall& call, VkResult code, VkDevice device, const VkRenderPassCreateInfo2* info,
             const VkAllocationCallbacks* allocator, VkRenderPass* pass);
};
using DestroyRenderPass = DestroyHeld<ObjectKind::kRenderPass, VkRenderPass>;
struct CreateFramebuffer {
  void Before(VkCall& call, VkDevice device, const VkFramebufferCreateInfo* info,
              const VkAllocationCallbacks* allocator, VkFramebuffer* framebuffer);
  void After(VkCall& call, VkResult code, VkDevice device, const VkFramebufferCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkFramebuffer* framebuffer);
};
using DestroyFramebuffer = DestroyHeld<ObjectKind::kFramebuffer, VkFramebuffer>;
struct CmdBeginRenderPass {
  void Before(VkCall& call, VkCommandBuffer commands, const VkRenderPassBeginInfo* info,
              VkSubpassContents contents);
};
struct CmdBeginRenderPass2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkRenderPassBeginInfo* info,
              const VkSubpassBeginInfo* subpass);
};
struct CmdNextSubpass {
  void Before(VkCall& call, VkCommandBuffer commands, VkSubpassContents contents);
};
struct CmdNextSubpass2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkSubpassBeginInfo* begin,
              const VkSubpassEndInfo* end);
};
struct CmdEndRenderPass {
  void Before(VkCall& call, VkCommandBuffer commands);
};
struct CmdEndRenderPass2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkSubpassEndInfo* end);
};
struct CmdClearAttachments {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkClearAttachment* attachments, uint32_t rect_count, const VkClearRect* rects);
};
struct CmdBeginRendering {
  void Before(VkCall& call, VkCommandBuffer commands, const VkRenderingInfo* info);
};
struct CmdEndRendering {
  void Before(VkCall& call, VkCommandBuffer commands);
};
// `info`: VkRenderingEndInfoKHR.
struct CmdEndRendering2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void*) {
    CmdEndRendering().Before(call, commands);
  }
};

}  // namespace gpusan::vulkan
