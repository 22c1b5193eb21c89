// The accesses of commands, and of load and store operations, to the attachments of render passes
// and dynamic rendering.
#pragma once

#include <algorithm>
#include <bit>

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/render_pass_info.h"

namespace gpusan::vulkan {

// A color attachment of dynamic rendering has its slot as index; the target of a resolve has this.
inline constexpr uint32_t kNoSlot = ~uint32_t{0};

// Calls visit(const ImagePart&) for the layers of the part that `views` has as bits, counted from
// its first layer; 0: for all of the part.
template <typename Visitor>
void ForEachView(const ImagePart& part, uint32_t views, Visitor visit) {
  if (views == 0) return visit(part);
  for (uint32_t layer = 0; layer < part.layers && views >> layer != 0; ++layer) {
    if ((views >> layer & 1) == 0) continue;
    ImagePart some = part;
    some.first_layer += layer;
    some.layers = static_cast<uint32_t>(std::countr_one(views >> layer));
    some.layers = std::min(some.layers, part.layers - layer);
    visit(some);
    layer += some.layers;
    if (layer >= 31) return;
  }
}

// Records the load operation of these aspects; NONE accesses nothing. `input`: draws may read the
// attachment as an input attachment; the load precedes such reads, too.
void RecordLoad(Recorder& recorder, Resource& image, const ImagePart& part, bool depth,
                VkAttachmentLoadOp load, Layout layout, bool input);
// The same for attachments whose stencil may have an operation of its own.
void RecordLoads(Recorder& recorder, Resource& image, const ImagePart& part, bool depth,
                 VkAttachmentLoadOp load, VkAttachmentLoadOp stencil_load, Layout layout,
                 bool input);
// Records the store operation. Only the aspects in `stored` are certainly written. `in_order`: it
// is in rasterization order with the accesses of the current subpass.
void RecordStore(Recorder& recorder, const PassInstance::Attachment& attachment, Resource& image,
                 Layout layout, bool in_order);

// Whether draws may read the attachment of dynamic rendering as an input attachment
// (VK_KHR_dynamic_rendering_local_read).
bool IsLocalRead(const Resource& image, Layout layout);

// Records the accesses of a command of the current subpass to its attachments. `shader`: as in
// RecordedUse.
void RecordAttachmentUses(Recorder& recorder, AttachmentUses uses, bool shader);
// The same for the accesses of `by`, which the command buffer defers if its primary command buffer
// provides the attachments.
void RecordUses(Recorder& recorder, const DeferredUses& by);
// Records those accesses of a command to one attachment that the current subpass did
// not make before.
void RecordUses(Recorder& recorder, PassInstance::Attachment& attachment,
                const RenderPassInfo::Use& use, AttachmentUses uses, const DeferredUses& by);
// Records the accesses that a secondary command buffer deferred to its primary command buffer.
void RecordDeferredUses(Recorder& recorder, const Recording& secondary);

}  // namespace gpusan::vulkan
