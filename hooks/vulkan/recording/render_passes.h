// Render passes: what they and their subpasses do to the attachments.
//
// A subpass counts as one command: its loads, its draws and its resolves are in order (Vulkan 1.3
// §8). Between subpasses only the dependencies order, and so they do around the pass. Which of the
// texels a draw writes is not seen.
#pragma once

#include <memory>
#include <vector>

#include "hooks/vulkan/objects/render_pass_info.h"
#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

struct FramebufferState final : Pooled<FramebufferState, HeldState> {
  std::vector<WeakRef<PlainObject>> views;  // empty: they are given at the begin
  uint32_t layers = 1;
  void Reset() {
    views.clear();
    used.Clear();
  }
};

// A command of the current subpass does that with its attachments. `shader`: as of RecordedUse.
void RecordAttachmentUses(Recorder& recorder, AttachmentUses uses, bool shader);
// The same of what a secondary command buffer left to whoever executes it.
void RecordDeferredUses(Recorder& recorder, const Recording& secondary);
// A secondary command buffer begins that goes on with a render pass; nothing where it is dynamic
// rendering, whose attachments count at its begin and end.
void InheritPass(VkCall& call, const VkCommandBufferInheritanceInfo& info, PassInstance* pass);

struct CreateRenderPass {
  void After(VkCall& call, VkResult code, VkDevice device, const VkRenderPassCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkRenderPass* pass);
};
struct CreateRenderPass2 {
  void After(VkCall& call, VkResult code, VkDevice device, const VkRenderPassCreateInfo2* info,
             const VkAllocationCallbacks* allocator, VkRenderPass* pass);
};
using DestroyRenderPass = DestroyHeld<ObjectKind::kRenderPass, VkRenderPass>;
struct CreateFramebuffer {
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

}  // namespace gpusan::vulkan
