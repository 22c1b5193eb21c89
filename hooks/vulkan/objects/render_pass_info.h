// What a render pass was made to do: its attachments, what each subpass does with them, and what
// orders the subpasses.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/objects/sync_masks.h"
#include "tracker/scopes/layouts.h"

namespace gpusan::vulkan {

// What commands do with the attachments of their subpass; bits.
using AttachmentUses = uint64_t;
constexpr AttachmentUses ColorWritten(uint32_t slot) { return AttachmentUses{1} << slot; }  // < 32
inline constexpr AttachmentUses kAllColorWritten = 0xffffffff;
inline constexpr AttachmentUses kDepthRead = AttachmentUses{1} << 32;
inline constexpr AttachmentUses kDepthWritten = AttachmentUses{1} << 33;
inline constexpr AttachmentUses kStencilRead = AttachmentUses{1} << 34;
inline constexpr AttachmentUses kStencilWritten = AttachmentUses{1} << 35;

// Never changes once it is made: command buffers share it.
struct RenderPassInfo {
  struct Attachment {
    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD, stencil_load = VK_ATTACHMENT_LOAD_OP_LOAD;
    VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE,
                        stencil_store = VK_ATTACHMENT_STORE_OP_STORE;
    Layout initial_layout = VK_IMAGE_LAYOUT_UNDEFINED, final_layout = VK_IMAGE_LAYOUT_UNDEFINED;
    bool depth = false;     // or stencil
    bool used = false;      // by any subpass
    bool resolved = false;  // depth and stencil that a resolve writes
    uint32_t writable = 0;  // aspects that some subpass may write, as its layouts say
    uint32_t first_subpass = 0, last_subpass = 0;  // of those that use it

    // The load leaves nothing of what was there.
    bool clears() const {
      return load == VK_ATTACHMENT_LOAD_OP_CLEAR || load == VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    }
    // The aspects that a store writes.
    uint32_t stored() const {
      return (store != VK_ATTACHMENT_STORE_OP_NONE ? ~uint32_t{VK_IMAGE_ASPECT_STENCIL_BIT} : 0) |
             (stencil_store != VK_ATTACHMENT_STORE_OP_NONE ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    }
  };
  // What a subpass uses an attachment for; one for each of them.
  struct Use {
    static constexpr uint32_t kNoSlot = ~uint32_t{0};

    uint32_t attachment = 0;
    Layout layout = kNoLayout;
    uint32_t color_slot = kNoSlot;  // the color attachment of that number
    bool depth = false;             // the attachment of depth and stencil
    uint32_t tested = 0;            // ... and the aspects of it that draws may write
    bool input = false;
    bool resolved = false;  // written when the subpass ends
    bool writable = false;  // by draws, as any of its uses
  };
  struct Subpass {
    std::vector<Use> uses;
  };
  // Of all subpasses: the layers that are drawn to, by bits; 0: those of the framebuffer.
  uint32_t views = 0;
  struct Dependency {
    uint32_t source, target;  // subpasses, or VK_SUBPASS_EXTERNAL
    GivenMasks masks;
  };
  std::vector<Attachment> attachments;
  std::vector<Subpass> subpasses;
  std::vector<Dependency> dependencies;

  // What orders what comes before the pass with the first use of an attachment, in that subpass.
  GivenMasks Before(uint32_t subpass) const;
  // ... an attachment's last use, in that subpass, with what comes behind the pass.
  GivenMasks Behind(uint32_t subpass) const;
  // ... what earlier subpasses do with an attachment with its use in this one.
  GivenMasks Between(uint32_t subpass) const;
};

// Of VkRenderPassCreateInfo and VkRenderPassCreateInfo2.
RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo& info);
RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo2& info);

// The aspects that attachments in that layout may be written in.
uint32_t WritableAspects(Layout layout);
// Whether nothing is written to what is in that layout.
inline bool IsReadOnly(Layout layout) { return WritableAspects(layout) == 0; }

struct RenderPassState final : Pooled<RenderPassState, HeldState> {
  std::shared_ptr<const RenderPassInfo> pass_info;
  void Reset() {
    pass_info.reset();
    used.Clear();
  }
};

}  // namespace gpusan::vulkan
