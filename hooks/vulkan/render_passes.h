// Render passes: what they do to their attachments at begin and end.
//
// Inside of a render pass nothing is judged between its own subpasses; what it loads, stores and
// changes is ordered with what is around it.
#pragma once

#include <vector>

#include "hooks/vulkan/command_buffers.h"
#include "hooks/vulkan/masks.h"

namespace gpusan::vulkan {

struct PassAttachment {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD, stencil_load = VK_ATTACHMENT_LOAD_OP_LOAD;
  VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE,
                      stencil_store = VK_ATTACHMENT_STORE_OP_STORE;
  VkImageLayout initial_layout = VK_IMAGE_LAYOUT_UNDEFINED,
                final_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  // In the subpasses that use it first and last; kNoLayout: none uses it.
  Layout first_layout = kNoLayout, last_layout = kNoLayout;
  uint32_t first_subpass = 0, last_subpass = 0;
  // How it is used there: as a depth or stencil attachment, or only read.
  bool depth = false;
  bool read_only = true;
};

struct RenderPassState final : Pooled<RenderPassState, HeldState> {
  std::vector<PassAttachment> attachments;
  struct Dependency {
    uint32_t source, target;  // subpasses, or VK_SUBPASS_EXTERNAL
    GivenMasks masks;
  };
  std::vector<Dependency> dependencies;
  void Reset();
};

struct FramebufferState final : Pooled<FramebufferState, HeldState> {
  std::vector<WeakRef<PlainObject>> views;  // empty: they are given at the begin
  void Reset() {
    views.clear();
    used.Clear();
  }
};

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
struct CmdBeginRendering {
  void Before(VkCall& call, VkCommandBuffer commands, const VkRenderingInfo* info);
};
struct CmdEndRendering {
  void Before(VkCall& call, VkCommandBuffer commands);
};

}  // namespace gpusan::vulkan
