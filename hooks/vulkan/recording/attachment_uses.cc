// The accesses of commands, and of load and store operations, to the attachments of render passes
// and dynamic rendering.
#include "hooks/vulkan/recording/attachment_uses.h"

namespace gpusan::vulkan {
namespace {

struct AttachmentUse {
  uint64_t stage, read, write;
};
// Resolves at the end of a subpass are writes of color attachments, also for depth and stencil
// (Vulkan 1.3 §8.1). The store of a depth and stencil attachment has stages of its own. Programs
// may name either of the two. The resolve targets of dynamic rendering have no store.
constexpr AttachmentUse kDepthResolve = {
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};

AttachmentUse UseOf(bool depth, bool begin) {
  if (!depth) {
    return {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT,
            VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
  }
  // Loads are early, stores late (Vulkan 1.3 §8.1).
  return {begin ? VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT
                : VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
          VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
          VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
}

// Reduces the part of an attachment to a rectangle of some layers, or to these layers. Returns
// false if nothing is left.
bool Narrow(const Resource& image, const VkClearRect& area, bool all_of_layers, ImagePart* part) {
  const ImageState& state = ImageOf(image);
  const VkExtent3D level = state.ExtentOf(part->first_mip);
  if (part->whole()) {
    part->extent[0] = level.width;
    part->extent[1] = level.height;
    part->extent[2] = level.depth;
  }
  // Slices of a 3D image are layers of its view.
  uint32_t& first = state.is_3d ? part->origin[2] : part->first_layer;
  uint32_t& count = state.is_3d ? part->extent[2] : part->layers;
  if (area.baseArrayLayer >= count) return false;
  first += area.baseArrayLayer;
  count = std::min(count - area.baseArrayLayer, area.layerCount);
  if (all_of_layers) return true;
  const uint32_t wanted[2] = {area.rect.extent.width, area.rect.extent.height};
  const int32_t offset[2] = {area.rect.offset.x, area.rect.offset.y};
  for (int axis = 0; axis < 2; ++axis) {
    const uint64_t begin =
        std::max<uint64_t>(part->origin[axis], static_cast<uint64_t>(std::max(offset[axis], 0)));
    const uint64_t end =
        std::min(uint64_t{part->origin[axis]} + part->extent[axis],
                 static_cast<uint64_t>(std::max<int64_t>(int64_t{offset[axis]} + wanted[axis], 0)));
    if (begin >= end) return false;
    part->origin[axis] = static_cast<uint32_t>(begin);
    part->extent[axis] = static_cast<uint32_t>(end - begin);
  }
  return true;
}

// How a command accesses an attachment.
struct CommandUse {
  AttachmentUses uses;
  Layout layout;
  uint32_t tested;  // aspects of depth and stencil that the command may write
  uint32_t views;   // layers as bits; 0: all
  bool apart;       // from the other commands of the subpass
};

// Records accesses of a command of the current subpass, or of dynamic rendering, to an attachment.
// Draws test and write depth and stencil early or late, depending on their shaders.
void RecordUse(Recorder& recorder, const PassInstance::Attachment& attachment, Resource& image,
               const CommandUse& use, const DeferredUses& by) {
  ImagePart accessed = attachment.drawn;
  if (by.area.layerCount != 0) {
    // Without a store operation a write makes the whole render area undefined (Vulkan 1.3 §8.4).
    const uint32_t cleared = ((use.uses & kAllColorWritten) != 0 ? VK_IMAGE_ASPECT_COLOR_BIT : 0) |
                             ((use.uses & kDepthWritten) != 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : 0) |
                             ((use.uses & kStencilWritten) != 0 ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    const bool stores = (attachment.stored & accessed.aspects & cleared) != 0;
    if (!Narrow(image, by.area, !stores, &accessed)) return;
  }
  auto record = [&](uint32_t aspects, uint64_t stage, uint64_t access, bool write) {
    ImagePart all = accessed;
    all.aspects &= aspects;
    if (all.aspects == 0) return;
    ForEachView(all, use.views, [&](const ImagePart& part) {
      auto& made = recorder.state().recording->AppendWith<RecordedUse>(
          *by.call, by.site, part, &image, image.generation.load(std::memory_order_relaxed),
          use.layout, stage, access, write);
      made.shader = by.shader;
      made.of_subpass = !use.apart;
      made.rasterized = true;
    });
  };
  if ((use.uses & kAllColorWritten) != 0) {
    const AttachmentUse color = UseOf(false, false);
    record(~uint32_t{0}, color.stage, color.write, true);
  }
  constexpr uint64_t kTests =
      VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
  const uint32_t read = ((use.uses & kDepthRead) != 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : 0) |
                        ((use.uses & kStencilRead) != 0 ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
  const uint32_t written = (((use.uses & kDepthWritten) != 0 ? VK_IMAGE_ASPECT_DEPTH_BIT : 0) |
                            ((use.uses & kStencilWritten) != 0 ? VK_IMAGE_ASPECT_STENCIL_BIT : 0)) &
                           use.tested;
  const AttachmentUse tests = UseOf(true, false);
  record(read, kTests, tests.read, false);
  record(written, kTests, tests.write, true);
}

// Records the accesses of vkCmdClearAttachments in dynamic rendering. Those of draws are recorded
// with the load and store operations only, unless draws may read the attachment, too.
void RecordRenderingUses(Recorder& recorder, const DeferredUses& by) {
  const bool draws = by.area.layerCount == 0;
  for (const PassInstance::Attachment& attachment : recorder.state().pass.attachments) {
    if (draws && !attachment.local_read) [[likely]]
      continue;
    Resource* image = attachment.image.get();
    if (image == nullptr || !image->live() || attachment.index == kNoSlot) continue;
    const AttachmentUses wanted =
        attachment.depth ? ~kAllColorWritten : ColorWritten(std::min(attachment.index, 31u));
    if ((by.uses & wanted) == 0) continue;
    RecordUse(recorder, attachment, *image,
              {by.uses & wanted, attachment.layout, attachment.writable, 0, draws}, by);
  }
}

}  // namespace

void RecordLoad(Recorder& recorder, Resource& image, const ImagePart& part, bool depth,
                VkAttachmentLoadOp load, Layout layout, bool input) {
  if (part.aspects == 0) return;
  const AttachmentUse use = UseOf(depth, true);
  const bool clears =
      load == VK_ATTACHMENT_LOAD_OP_CLEAR || load == VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  RecordedUse& record = clears ? recorder.Write(image, part, use.stage, use.write, layout)
                               : recorder.Use(image, part, use.stage, use.read, layout);
  record.discards = clears;
  record.unordered = load != VK_ATTACHMENT_LOAD_OP_LOAD && !clears;
  record.of_subpass = record.rasterized = true;
  record.loads = input;
}

void RecordLoads(Recorder& recorder, Resource& image, const ImagePart& part, bool depth,
                 VkAttachmentLoadOp load, VkAttachmentLoadOp stencil_load, Layout layout,
                 bool input) {
  constexpr uint32_t kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  if ((part.aspects & kStencil) == 0 || load == stencil_load)
    return RecordLoad(recorder, image, part, depth, load, layout, input);
  ImagePart some = part;
  some.aspects = part.aspects & ~kStencil;
  RecordLoad(recorder, image, some, depth, load, layout, input);
  some.aspects = kStencil;
  RecordLoad(recorder, image, some, depth, stencil_load, layout, input);
}

void RecordStore(Recorder& recorder, const PassInstance::Attachment& attachment, Resource& image,
                 Layout layout, bool in_order) {
  const AttachmentUse use = attachment.resolve_target ? UseOf(false, false)
                            : attachment.resolved     ? kDepthResolve
                                                      : UseOf(attachment.depth, false);
  const uint32_t aspects = attachment.drawn.aspects & attachment.writable;
  for (const bool stores : {true, false}) {
    ImagePart part = attachment.drawn;
    part.aspects = aspects & (stores ? attachment.stored : ~attachment.stored);
    if (part.aspects == 0) continue;
    RecordedUse& record = recorder.Write(image, part, use.stage, use.write, layout);
    record.unordered = !stores;
    record.drops = (part.aspects & ~attachment.dropped) == 0;
    record.rasterized = in_order;
  }
}

bool IsLocalRead(const Resource& image, Layout layout) {
  constexpr auto kRenderingLocalRead = static_cast<VkImageLayout>(1000232000);
  return (ImageOf(image).usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT) != 0 &&
         (layout == kRenderingLocalRead || layout == VK_IMAGE_LAYOUT_GENERAL);
}

void RecordUses(Recorder& recorder, PassInstance::Attachment& attachment,
                const RenderPassInfo::Use& use, AttachmentUses uses, const DeferredUses& by) {
  const PassInstance& pass = recorder.state().pass;
  const RenderPassInfo::Subpass& subpass = pass.pass_info->subpasses[pass.subpass];
  // Reads of input attachments are not in rasterization order: each draw counts as a command.
  const bool apart = use.input && use.writable && !subpass.ordered_inputs;
  if (!apart) uses &= ~attachment.done;
  Resource* image = attachment.image.get();
  if (uses == 0 || image == nullptr || !image->live()) return;
  if (by.area.layerCount == 0) attachment.done |= uses;
  RecordUse(recorder, attachment, *image, {uses, use.layout, use.tested, subpass.views, apart}, by);
}

void RecordUses(Recorder& recorder, const DeferredUses& by) {
  PassInstance& pass = recorder.state().pass;
  if (by.uses == 0) return;
  if (pass.pass_info == nullptr) return RecordRenderingUses(recorder, by);
  if (pass.inherited) return recorder.state().recording->Defer(by);
  for (const RenderPassInfo::Use& use : pass.pass_info->subpasses[pass.subpass].uses) {
    AttachmentUses made = 0;
    if (use.color_slot < 32) made |= by.uses & ColorWritten(use.color_slot);
    if (use.depth) made |= by.uses & ~kAllColorWritten;
    if (made == 0) continue;
    if (PassInstance::Attachment* attachment = pass.Find(use.attachment))
      RecordUses(recorder, *attachment, use, made, by);
  }
}

void RecordAttachmentUses(Recorder& recorder, AttachmentUses uses, bool shader) {
  RecordUses(recorder, {uses, &recorder.call().info(), recorder.site(), shader});
}

void RecordDeferredUses(Recorder& recorder, const Recording& secondary) {
  for (const DeferredUses& deferred : secondary.deferred()) RecordUses(recorder, deferred);
}

}  // namespace gpusan::vulkan
