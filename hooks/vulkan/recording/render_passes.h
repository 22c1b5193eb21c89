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
  AfterOf<PFN_vkCreateRenderPass> After;
};
struct CreateRenderPass2 {
  void Before(VkCall& call, VkDevice, const VkRenderPassCreateInfo2* info,
              const VkAllocationCallbacks*, VkRenderPass*) {
    CheckDependencies(call, *info);
  }
  AfterOf<PFN_vkCreateRenderPass2> After;
};
using DestroyRenderPass = DestroyHeld<ObjectKind::kRenderPass, VkRenderPass>;
struct CreateFramebuffer {
  BeforeOf<PFN_vkCreateFramebuffer> Before;
  AfterOf<PFN_vkCreateFramebuffer> After;
};
using DestroyFramebuffer = DestroyHeld<ObjectKind::kFramebuffer, VkFramebuffer>;
struct CmdBeginRenderPass {
  BeforeOf<PFN_vkCmdBeginRenderPass> Before;
};
struct CmdBeginRenderPass2 {
  BeforeOf<PFN_vkCmdBeginRenderPass2> Before;
};
struct CmdNextSubpass {
  BeforeOf<PFN_vkCmdNextSubpass> Before;
};
struct CmdNextSubpass2 {
  BeforeOf<PFN_vkCmdNextSubpass2> Before;
};
struct CmdEndRenderPass {
  BeforeOf<PFN_vkCmdEndRenderPass> Before;
};
struct CmdEndRenderPass2 {
  BeforeOf<PFN_vkCmdEndRenderPass2> Before;
};
struct CmdClearAttachments {
  BeforeOf<PFN_vkCmdClearAttachments> Before;
};
struct CmdBeginRendering {
  BeforeOf<PFN_vkCmdBeginRendering> Before;
};
struct CmdEndRendering {
  BeforeOf<PFN_vkCmdEndRendering> Before;
};
// `info`: VkRenderingEndInfoKHR.
struct CmdEndRendering2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void*) {
    CmdEndRendering().Before(call, commands);
  }
};

}  // namespace gpusan::vulkan
