// The description of a render pass: its attachments, their use by each subpass, and the
// dependencies between subpasses.
#pragma once

#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/words/sync_masks.h"
#include "tracker/scopes/layouts.h"

namespace gpusan::vulkan {

// The accesses of commands to the attachments of their subpass; bits.
using AttachmentUses = uint64_t;
constexpr AttachmentUses ColorWritten(uint32_t slot) { return AttachmentUses{1} << slot; }  // < 32
inline constexpr AttachmentUses kAllColorWritten = 0xffffffff;
inline constexpr AttachmentUses kDepthRead = AttachmentUses{1} << 32;
inline constexpr AttachmentUses kDepthWritten = AttachmentUses{1} << 33;
inline constexpr AttachmentUses kStencilRead = AttachmentUses{1} << 34;
inline constexpr AttachmentUses kStencilWritten = AttachmentUses{1} << 35;

// Immutable after its creation; command buffers share it.
struct RenderPassInfo {
  struct Attachment {
    VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_LOAD, stencil_load = VK_ATTACHMENT_LOAD_OP_LOAD;
    VkAttachmentStoreOp store = VK_ATTACHMENT_STORE_OP_STORE,
                        stencil_store = VK_ATTACHMENT_STORE_OP_STORE;
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    Layout initial_layout = VK_IMAGE_LAYOUT_UNDEFINED, final_layout = VK_IMAGE_LAYOUT_UNDEFINED;
    bool depth = false;     // or stencil
    bool used = false;      // by any subpass
    bool resolved = false;  // depth and stencil, written by a resolve
    uint32_t writable = 0;  // aspects that some subpass may write, by their layouts
    uint32_t first_subpass = 0, last_subpass = 0;  // that use it

    // The load operation discards the previous content.
    bool clears() const {
      return load == VK_ATTACHMENT_LOAD_OP_CLEAR || load == VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    }
    // The aspects that the store operation writes.
    uint32_t stored() const {
      return (store != VK_ATTACHMENT_STORE_OP_NONE ? ~uint32_t{VK_IMAGE_ASPECT_STENCIL_BIT} : 0) |
             (stencil_store != VK_ATTACHMENT_STORE_OP_NONE ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    }
    // The aspects whose content the store operation makes undefined.
    uint32_t dropped() const {
      return (store == VK_ATTACHMENT_STORE_OP_DONT_CARE ? ~uint32_t{VK_IMAGE_ASPECT_STENCIL_BIT}
                                                        : 0) |
             (stencil_store == VK_ATTACHMENT_STORE_OP_DONT_CARE ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    }
    bool operator==(const Attachment&) const = default;
  };
  // The uses of one attachment by a subpass.
  struct Use {
    static constexpr uint32_t kNoSlot = ~uint32_t{0};

    uint32_t attachment = 0;
    Layout layout = kNoLayout;
    uint32_t color_slot = kNoSlot;  // index of the color attachment
    bool depth = false;             // the depth and stencil attachment
    uint32_t tested = 0;            // its aspects that draws may write
    uint32_t read_only = 0;         // its aspects that draws must not write
    bool input = false;
    bool resolved = false;  // written when the subpass ends
    bool writable = false;  // by draws, by any of its uses

    bool operator==(const Use&) const = default;
  };
  struct Subpass {
    std::vector<Use> uses;
    uint32_t views = 0;   // layers that it draws to, as bits; 0: the layers of the framebuffer
    uint32_t colors = 0;  // color attachments, used or VK_ATTACHMENT_UNUSED
    // Draws read input attachments in rasterization order.
    bool ordered_inputs = false;

    bool operator==(const Subpass&) const = default;
  };
  // Layers that any subpass draws to, as bits; 0: the layers of the framebuffer.
  uint32_t views = 0;
  struct Dependency {
    uint32_t source, target;  // subpasses, or VK_SUBPASS_EXTERNAL
    GivenMasks masks;
    VkDependencyFlags flags = 0;

    bool operator==(const Dependency&) const = default;
  };
  std::vector<Attachment> attachments;
  std::vector<Subpass> subpasses;
  std::vector<Dependency> dependencies;
  // Equal for compatible render passes (Vulkan 1.3 §8.2), different for others; never 0.
  // Dependencies, which are part of the definition, do not count.
  uint64_t compatibility = 0;
  // The number of clear values that vkCmdBeginRenderPass needs.
  uint32_t clear_values = 0;

  bool operator==(const RenderPassInfo&) const = default;

  // The dependencies between commands before the render pass and the first use of an attachment,
  // which is in `subpass`. `changes`: the layout changes before that use.
  GivenMasks Before(uint32_t subpass, bool changes) const;
  // The dependencies between an attachment's last use, in `subpass`, and commands after the render
  // pass. `changes`: the layout changes after that use.
  GivenMasks Behind(uint32_t subpass, bool changes) const;
  // The order of the layout transition of an attachment that no subpass uses. The transition
  // follows all earlier accesses of render passes. No dependency refers to it. If the render pass
  // has a dependency for later commands, all later commands count as ordered after the transition.
  // Otherwise all commands after any barrier do.
  GivenMasks BehindUnused() const;
  // The dependencies between the uses of an attachment in earlier subpasses and in `subpass`.
  GivenMasks Between(uint32_t subpass) const;
  // The aspects of the depth and stencil attachment that draws of the subpass must not write,
  // because their layout is read-only.
  uint32_t ReadOnlyIn(uint32_t subpass) const;
};

// The attachments of dynamic rendering that vkCmdBeginRendering, a pipeline, or the inheritance
// info of a secondary command buffer names.
struct RenderingFormats {
  absl::InlinedVector<VkFormat, 8> colors;  // VK_FORMAT_UNDEFINED: none
  VkFormat depth = VK_FORMAT_UNDEFINED, stencil = VK_FORMAT_UNDEFINED;
  uint32_t views = 0;    // view mask
  uint32_t samples = 0;  // VkSampleCountFlagBits; 0: unknown, or no attachments

  // Equal for equal members, different for others; never 0.
  uint64_t Compatibility() const;
  void Clear() {
    colors.clear();
    depth = stencil = VK_FORMAT_UNDEFINED;
    views = samples = 0;
  }
};

// Reads the description that the program passes to vkCreateRenderPass or vkCreateRenderPass2.
RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo& info);
RenderPassInfo MakeRenderPassInfo(const VkRenderPassCreateInfo2& info);

// The aspects that may be written in the layout.
uint32_t WritableAspects(Layout layout);
// The aspects among depth and stencil that must not be written in the layout.
uint32_t ReadOnlyAspects(Layout layout);

struct RenderPassState final : Pooled<RenderPassState, HeldState> {
  std::shared_ptr<const RenderPassInfo> pass_info;
  bool Equals(const RenderPassState& other) const { return *pass_info == *other.pass_info; }
  void Reset() {
    pass_info.reset();
    used.Clear();
  }
};

struct FramebufferState final : Pooled<FramebufferState, HeldState> {
  std::vector<WeakRef<PlainObject>> views;  // empty: imageless, given when the render pass begins
  // The images that the views of an imageless framebuffer must have, by attachment.
  struct Planned {
    VkImageUsageFlags usage = 0;
    uint32_t width = 0, height = 0, layers = 0;
    bool operator==(const Planned&) const = default;
  };
  std::vector<Planned> planned;
  uint32_t width = 0, height = 0, layers = 1;
  uint64_t compatibility = 0;  // of its render pass; 0: unknown
  bool Equals(const FramebufferState& other) const {
    return std::ranges::equal(views, other.views, Same<PlainObject>) && width == other.width &&
           height == other.height && layers == other.layers &&
           compatibility == other.compatibility && planned == other.planned;
  }
  void Reset() {
    views.clear();
    planned.clear();
    used.Clear();
  }
};

}  // namespace gpusan::vulkan
