// Render passes: the accesses of render passes and their subpasses to the attachments.
#include "hooks/vulkan/recording/render_passes.h"

#include <algorithm>
#include <bit>

#include "hooks/vulkan/objects/formats.h"
#include "hooks/vulkan/recording/barriers.h"
#include "hooks/vulkan/recording/queries.h"
#include "tracker/rules/null_argument.h"

namespace gpusan::vulkan {
namespace {

VkImageView HandleAt(const VkRenderPassBeginInfo& info, uint32_t index) {
  const auto* given = FindInChain<VkRenderPassAttachmentBeginInfo>(
      info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  return given != nullptr && given->pAttachments != nullptr && index < given->attachmentCount
             ? given->pAttachments[index]
             : VK_NULL_HANDLE;
}

// The view's image if it is live; otherwise nullptr.
Resource* ImageOfView(PlainObject* view, const ImageViewState** state) {
  if (view == nullptr || view->part == nullptr) return nullptr;
  *state = static_cast<const ImageViewState*>(view->part);
  Resource* image = (*state)->image.get();
  return image != nullptr && image->live() ? image : nullptr;
}

// Adds a finding if the image lacks the usage of an attachment. `vuid`: without "VUID-".
void CheckUsage(VkCall& call, const Resource& image, VkImageUsageFlags needed, const char* name,
                const char* vuid) {
  const uint32_t usage = ImageOf(image).usage;
  if (usage == 0 || (usage & needed) != 0) [[likely]]
    return;
  rules::SyncStateUse use;
  use.fault = rules::SyncStateUse::Fault::kAttachmentUsage;
  use.object = &image;
  use.value = name;
  use.other = vuid;
  rules::OnSyncStateUse(use, call);
}
void CheckColorUsage(VkCall& call, const Resource& image, const char* vuid) {
  CheckUsage(call, image, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
             "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", vuid);
}
void CheckDepthUsage(VkCall& call, const Resource& image, const char* vuid) {
  CheckUsage(call, image, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
             "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT", vuid);
}

// Within the render pass all accesses to an attachment are ordered.
constexpr GivenMasks kInside = {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                                VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

// The layout of an attachment that no subpass uses changes behind all earlier accesses of render
// passes. No dependency names it: all later commands count as ordered behind it.
constexpr GivenMasks kUnused = {
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

struct AttachmentUse {
  uint64_t stage, read, write;
};
// Resolves at the end of a subpass are writes of color attachments, also for depth and stencil
// (Vulkan 1.3 §8.1). The store of a depth and stencil attachment has stages of its own. Programs
// may name either of the two.
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

// Records the load operation of these aspects; NONE accesses nothing. `input`: draws may read the
// attachment as an input attachment; the load precedes such reads, too.
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

// The same for attachments whose stencil may have an operation of its own.
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

// Records the store operation. Only the aspects in `stored` are certainly written. `in_order`: it
// is in rasterization order with the accesses of the current subpass.
void RecordStore(Recorder& recorder, const PassInstance::Attachment& attachment, Resource& image,
                 Layout layout, bool in_order) {
  const AttachmentUse use = attachment.resolved ? kDepthResolve : UseOf(attachment.depth, false);
  const uint32_t aspects = attachment.drawn.aspects & attachment.writable;
  for (const bool stores : {true, false}) {
    ImagePart part = attachment.drawn;
    part.aspects = aspects & (stores ? attachment.stored : ~attachment.stored);
    if (part.aspects == 0) continue;
    RecordedUse& record = recorder.Write(image, part, use.stage, use.write, layout);
    record.unordered = !stores;
    record.rasterized = in_order;
  }
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

// Records those accesses of a command that the current subpass did not make before.
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

// A color attachment of dynamic rendering has its slot as index; the target of a resolve has this.
constexpr uint32_t kNoSlot = ~uint32_t{0};

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

// Whether draws may read the attachment of dynamic rendering as an input attachment
// (VK_KHR_dynamic_rendering_local_read).
bool IsLocalRead(const Resource& image, Layout layout) {
  constexpr auto kRenderingLocalRead = static_cast<VkImageLayout>(1000232000);
  return (ImageOf(image).usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT) != 0 &&
         (layout == kRenderingLocalRead || layout == VK_IMAGE_LAYOUT_GENERAL);
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

// The layers of the attachment that subpasses before `subpass` draw to, as bits.
uint32_t ViewsBefore(const RenderPassInfo& pass_info, uint32_t attachment, uint32_t subpass) {
  uint32_t views = 0;
  for (uint32_t i = 0; i < subpass; ++i) {
    for (const RenderPassInfo::Use& use : pass_info.subpasses[i].uses) {
      if (use.attachment == attachment) views |= pass_info.subpasses[i].views;
    }
  }
  return views;
}

// Begins the current subpass: records layout transitions, dependencies, and the loads of
// attachments that no earlier subpass uses.
void EnterSubpass(Recorder& recorder) {
  PassInstance& pass = recorder.state().pass;
  const RenderPassInfo& pass_info = *pass.pass_info;
  const uint32_t subpass = pass.subpass;
  for (const RenderPassInfo::Use& use : pass_info.subpasses[subpass].uses) {
    PassInstance::Attachment* attachment = pass.Find(use.attachment);
    if (attachment == nullptr) continue;
    const bool first = pass_info.attachments[use.attachment].first_subpass == subpass;
    const GivenMasks masks = first ? pass_info.Before(subpass) : pass_info.Between(subpass);
    if (attachment->layout != use.layout || masks.source_stages != VK_PIPELINE_STAGE_2_NONE) {
      RecordImageBarrier(recorder, *attachment->image.object, attachment->part, masks,
                         attachment->layout, use.layout);
    }
    attachment->layout = use.layout;
    attachment->done = 0;
  }
  for (const RenderPassInfo::Dependency& dependency : pass_info.dependencies) {
    if (dependency.target == subpass && dependency.source != subpass)
      RecordBarrier(recorder, dependency.masks);
  }
  // The loads are ordered after the dependencies.
  recorder.NextCommand();
  recorder.Append<RecordedSubpass>(subpass);
  for (const RenderPassInfo::Use& use : pass_info.subpasses[subpass].uses) {
    PassInstance::Attachment* attachment = pass.Find(use.attachment);
    if (attachment == nullptr) continue;
    const RenderPassInfo::Attachment& planned = pass_info.attachments[use.attachment];
    const uint32_t views = pass_info.subpasses[subpass].views;
    const uint32_t new_views = views & ~ViewsBefore(pass_info, use.attachment, subpass);
    if (planned.first_subpass == subpass || new_views != 0) {
      ForEachView(attachment->drawn, new_views, [&](const ImagePart& part) {
        RecordLoads(recorder, *attachment->image.object, part, planned.depth, planned.load,
                    planned.stencil_load, use.layout, use.input);
      });
    }
    if (planned.first_subpass == subpass) {
      // The load includes these accesses of draws.
      if (planned.clears()) attachment->done |= kAllColorWritten;
      if (planned.load == VK_ATTACHMENT_LOAD_OP_LOAD) attachment->done |= kDepthRead;
      if (planned.stencil_load == VK_ATTACHMENT_LOAD_OP_LOAD) attachment->done |= kStencilRead;
    }
    if (use.resolved && !planned.depth) {
      RecordUses(recorder, *attachment, use, kAllColorWritten,
                 {0, &recorder.call().info(), recorder.site(), false});
    }
  }
}

// The part of an attachment that is drawn to: the render area of the framebuffer's layers, or of
// the views up to the last one. Loads and stores do not access the rest (Vulkan 1.3 §8.4).
ImagePart DrawnOf(const Resource& image, const ImagePart& part, const VkRect2D& area,
                  uint32_t layers, uint32_t views) {
  ImagePart drawn = part;
  if (views != 0) layers = static_cast<uint32_t>(std::bit_width(views));
  if (layers != 0 && part.whole()) drawn.layers = std::min(part.layers, layers);
  const VkExtent3D level = ImageOf(image).ExtentOf(part.first_mip);
  if (area.offset.x <= 0 && area.offset.y <= 0 && area.extent.width >= level.width &&
      area.extent.height >= level.height)
    return drawn;
  drawn.origin[0] = static_cast<uint32_t>(std::max(area.offset.x, 0));
  drawn.origin[1] = static_cast<uint32_t>(std::max(area.offset.y, 0));
  drawn.extent[0] = area.extent.width;
  drawn.extent[1] = area.extent.height;
  if (part.whole()) drawn.extent[2] = level.depth;
  return drawn;
}

// Whether the subpass takes commands only, and no secondary command buffers.
bool IsInline(VkSubpassContents contents) { return contents == VK_SUBPASS_CONTENTS_INLINE; }

void BeginPass(VkCall& call, VkCommandBuffer commands, const VkRenderPassBeginInfo& info,
               VkSubpassContents contents) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kRenderPass, HandleOf(info.renderPass), "renderPass"));
  auto* frame = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kFramebuffer, HandleOf(info.framebuffer), "framebuffer"));
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  const auto enter = [&](PassInstance& pass) {
    pass.Clear();
    pass.kind = PassInstance::Kind::kPass;
    pass.begun = true;
    pass.is_inline = IsInline(contents);
    // Dispatches inside of the pass take the slow path, which reports them.
    recorder.state().bindings.compute.plain_at = 0;
  };
  enter(recorder.state().pass);
  if (object == nullptr || frame == nullptr) return;
  const auto& framebuffer = static_cast<const FramebufferState&>(*frame->part);
  recorder.Hold(*object);
  recorder.Hold(*frame);
  PassInstance& pass = recorder.state().pass;
  pass.pass_info = static_cast<const RenderPassState&>(*object->part).pass_info;
  if (pass.pass_info->subpasses.empty()) return enter(pass);
  for (uint32_t i = 0; i < pass.pass_info->attachments.size(); ++i) {
    PlainObject* view = nullptr;
    if (i < framebuffer.views.size()) {
      view = framebuffer.views[i].get();
      if (view != nullptr && !view->live()) {
        UseHandle(call, ObjectKind::kImageView, view->handle, "pAttachments[]");
        view = nullptr;
      }
    } else if (const VkImageView handle = HandleAt(info, i); handle != VK_NULL_HANDLE) {
      view = static_cast<PlainObject*>(
          UseHandle(call, ObjectKind::kImageView, HandleOf(handle), "pAttachments[]"));
    }
    const ImageViewState* state;
    Resource* image = ImageOfView(view, &state);
    if (image == nullptr) continue;
    recorder.Hold(*view);
    const RenderPassInfo::Attachment& planned = pass.pass_info->attachments[i];
    // Without a subpass that uses it, only the layout of an attachment changes.
    if (!planned.used && planned.initial_layout == planned.final_layout) continue;
    PassInstance::Attachment attachment;
    attachment.used = planned.used;
    attachment.image = WeakRef<Resource>(image);
    attachment.part = state->part;
    attachment.part.aspects = ImageOf(*image).aspects;
    attachment.layout = planned.initial_layout;
    attachment.final_layout = planned.final_layout;
    attachment.index = i;
    attachment.drawn = DrawnOf(*image, attachment.part, info.renderArea, framebuffer.layers,
                               pass.pass_info->views);
    attachment.depth = planned.depth;
    attachment.resolved = planned.resolved;
    attachment.writable = planned.writable;
    attachment.stored = planned.stored();
    pass.attachments.push_back(attachment);
  }
  EnterSubpass(recorder);
}

void NextSubpass(VkCall& call, VkCommandBuffer commands, VkSubpassContents contents) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  PassInstance& pass = recorder.state().pass;
  pass.is_inline = IsInline(contents);
  if (pass.pass_info == nullptr || pass.subpass + 1 >= pass.pass_info->subpasses.size()) return;
  ++pass.subpass;
  EnterSubpass(recorder);
}

// The layers of an attachment, as bits, that dependencies must order between its uses by earlier
// subpasses and its store, which happens in the last subpass of the pass; 0: none. Other stores
// count as ordered behind all uses in the pass.
uint32_t StoredInOrder(const PassInstance& pass, const PassInstance::Attachment& attachment) {
  if (pass.pass_info == nullptr || pass.subpass == 0 || attachment.depth || !attachment.used)
    return 0;
  const RenderPassInfo& pass_info = *pass.pass_info;
  const RenderPassInfo::Attachment& planned = pass_info.attachments[attachment.index];
  if (planned.last_subpass != pass.subpass || planned.first_subpass == pass.subpass) return 0;
  const RenderPassInfo::Subpass& last = pass_info.subpasses[pass.subpass];
  for (const RenderPassInfo::Use& use : last.uses) {
    if (use.attachment != attachment.index) continue;
    if (use.input || use.color_slot == RenderPassInfo::Use::kNoSlot) return 0;
    return last.views != 0 ? last.views : ~uint32_t{0};
  }
  return 0;
}

// Calls visit(const ImagePart&) for the layers of the part that `views` lacks, counted from its
// first layer.
template <typename Visitor>
void ForEachOther(const ImagePart& part, uint32_t views, Visitor visit) {
  if (views == 0) return visit(part);
  if (~views != 0) ForEachView(part, ~views, visit);
}

void EndPass(VkCall& call, VkCommandBuffer commands) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  if (!recorder.state().queries.empty()) [[unlikely]]
    CheckNoQueryOfPass(call, recorder.state());
  PassInstance& pass = recorder.state().pass;
  for (const PassInstance::Attachment& attachment : pass.attachments) {
    Resource* image = attachment.image.get();
    if (image == nullptr || !image->live() || attachment.writable == 0) continue;
    ForEachOther(attachment.part, StoredInOrder(pass, attachment), [&](const ImagePart& part) {
      RecordImageBarrier(recorder, *image, part, kInside, kNoLayout, kNoLayout);
    });
  }
  recorder.NextCommand();
  for (const PassInstance::Attachment& attachment : pass.attachments) {
    Resource* image = attachment.image.get();
    if (image == nullptr || !image->live() || attachment.writable == 0) continue;
    RecordStore(recorder, attachment, *image, kNoLayout, StoredInOrder(pass, attachment) != 0);
  }
  recorder.NextCommand();
  recorder.Append<RecordedSubpass>(RecordedSubpass::kNone);
  if (pass.pass_info != nullptr) {
    const RenderPassInfo& pass_info = *pass.pass_info;
    for (const PassInstance::Attachment& attachment : pass.attachments) {
      Resource* image = attachment.image.get();
      if (image == nullptr || !image->live()) continue;
      const uint32_t last = pass_info.attachments[attachment.index].last_subpass;
      RecordImageBarrier(recorder, *image, attachment.part,
                         attachment.used ? pass_info.Behind(last) : kUnused, attachment.layout,
                         attachment.final_layout);
    }
    for (const RenderPassInfo::Dependency& dependency : pass_info.dependencies) {
      if (dependency.target == VK_SUBPASS_EXTERNAL) RecordBarrier(recorder, dependency.masks);
    }
  }
  pass.Clear();
}

// `aspects`: the aspects that are attached, whatever those of the view. `slot`: of a color
// attachment.
void AddRendering(Recorder& recorder, const VkRenderingAttachmentInfo* given, uint32_t aspects,
                  uint32_t slot, const VkRenderingInfo& info) {
  const VkRenderingFlags flags = info.flags;
  const bool depth = aspects != VK_IMAGE_ASPECT_COLOR_BIT;
  if (given == nullptr || given->imageView == VK_NULL_HANDLE) return;
  const bool resumes = (flags & VK_RENDERING_RESUMING_BIT) != 0;
  struct Target {
    VkImageView view;
    Layout layout;
    bool resolve;
  };
  const Target targets[] = {
      {given->imageView, given->imageLayout, false},
      {given->resolveMode != VK_RESOLVE_MODE_NONE ? given->resolveImageView : VK_NULL_HANDLE,
       given->resolveImageLayout, true}};
  for (const Target& target : targets) {
    if (target.view == VK_NULL_HANDLE) continue;
    auto* view = static_cast<PlainObject*>(
        UseHandle(recorder.call(), ObjectKind::kImageView, HandleOf(target.view), "imageView"));
    const ImageViewState* state;
    Resource* image = ImageOfView(view, &state);
    if (image == nullptr) continue;
    recorder.Hold(*view);
    if (!target.resolve) {
      depth
          ? CheckDepthUsage(recorder.call(), *image,
                            aspects == VK_IMAGE_ASPECT_STENCIL_BIT
                                ? "VkRenderingInfo-pStencilAttachment-06089"
                                : "VkRenderingInfo-pDepthAttachment-06088")
          : CheckColorUsage(recorder.call(), *image, "VkRenderingInfo-colorAttachmentCount-06087");
    }
    ImagePart part = state->part;
    if (depth) part.aspects = aspects & ImageOf(*image).aspects;
    const ImagePart drawn = DrawnOf(*image, part, info.renderArea, info.layerCount, info.viewMask);
    if (!resumes && !target.resolve) {
      RecordLoad(recorder, *image, drawn, depth, given->loadOp, target.layout,
                 IsLocalRead(*image, target.layout));
    }
    PassInstance::Attachment instance;
    instance.image = WeakRef<Resource>(image);
    instance.part = part;
    instance.drawn = drawn;
    instance.layout = instance.final_layout = target.layout;
    // With multiview a clear affects the layers of all views, which are not kept.
    instance.index = target.resolve || info.viewMask != 0 ? kNoSlot : slot;
    instance.depth = depth;
    instance.resolved = depth && target.resolve;
    instance.local_read = !target.resolve && IsLocalRead(*image, target.layout);
    instance.writable = WritableAspects(target.layout);
    const bool stores = (flags & VK_RENDERING_SUSPENDING_BIT) == 0 &&
                        (target.resolve || given->storeOp != VK_ATTACHMENT_STORE_OP_NONE);
    instance.stored = stores ? ~uint32_t{0} : 0;
    recorder.state().pass.attachments.push_back(instance);
  }
}

// Adds findings for images of a framebuffer that lack the usage which the render pass needs.
void CheckAttachments(VkCall& call, const VkFramebufferCreateInfo& info) {
  const auto* pass =
      FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info.renderPass));
  if (pass == nullptr) return;
  for (const RenderPassInfo::Subpass& subpass : pass->pass_info->subpasses) {
    for (const RenderPassInfo::Use& use : subpass.uses) {
      if (use.attachment >= info.attachmentCount) continue;
      auto* view = static_cast<PlainObject*>(call.tracker().objects().Find(
          Api::kVulkan, ObjectKind::kImageView, HandleOf(info.pAttachments[use.attachment])));
      const ImageViewState* state;
      const Resource* image = ImageOfView(view, &state);
      if (image == nullptr) continue;
      if (use.color_slot != RenderPassInfo::Use::kNoSlot)
        CheckColorUsage(call, *image, "VkFramebufferCreateInfo-pAttachments-00877");
      if (use.depth) CheckDepthUsage(call, *image, "VkFramebufferCreateInfo-pAttachments-02633");
      if (use.input) {
        CheckUsage(call, *image, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                   "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT",
                   "VkFramebufferCreateInfo-pAttachments-00879");
      }
    }
  }
}

template <typename Info>
void KeepPass(VkCall& call, VkRenderPass handle, const Info& info) {
  auto* pass = KeepNew<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(handle));
  if (pass != nullptr)
    pass->pass_info = std::make_shared<const RenderPassInfo>(MakeRenderPassInfo(info));
}

}  // namespace

void RecordAttachmentUses(Recorder& recorder, AttachmentUses uses, bool shader) {
  RecordUses(recorder, {uses, &recorder.call().info(), recorder.site(), shader});
}

void RecordDeferredUses(Recorder& recorder, const Recording& secondary) {
  for (const DeferredUses& deferred : secondary.deferred()) RecordUses(recorder, deferred);
}

void InheritPass(VkCall& call, const VkCommandBufferInheritanceInfo& info, PassInstance* pass) {
  pass->Clear();
  const auto* state =
      FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info.renderPass));
  if (state == nullptr || info.subpass >= state->pass_info->subpasses.size()) return;
  pass->pass_info = state->pass_info;
  pass->subpass = info.subpass;
  pass->inherited = true;
}

void CreateRenderPass::After(VkCall& call, VkResult code, VkDevice,
                             const VkRenderPassCreateInfo* info, const VkAllocationCallbacks*,
                             VkRenderPass* handle) {
  if (code == VK_SUCCESS) KeepPass(call, *handle, *info);
}
void CreateRenderPass2::After(VkCall& call, VkResult code, VkDevice,
                              const VkRenderPassCreateInfo2* info, const VkAllocationCallbacks*,
                              VkRenderPass* handle) {
  if (code == VK_SUCCESS) KeepPass(call, *handle, *info);
}

void CreateFramebuffer::Before(VkCall& call, VkDevice, const VkFramebufferCreateInfo* info,
                               const VkAllocationCallbacks*, VkFramebuffer*) {
  if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) == 0 && info->attachmentCount != 0 &&
      info->pAttachments == nullptr) {
    rules::OnNullArgument({"VkFramebufferCreateInfo", "pAttachments", false,
                           "VUID-VkFramebufferCreateInfo-flags-02778"},
                          call);
    return;
  }
  if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) == 0) CheckAttachments(call, *info);
}

void CreateFramebuffer::After(VkCall& call, VkResult code, VkDevice,
                              const VkFramebufferCreateInfo* info, const VkAllocationCallbacks*,
                              VkFramebuffer* handle) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<FramebufferState>(call, ObjectKind::kFramebuffer, HandleOf(*handle));
  if (state == nullptr) return;
  state->layers = info->layers;
  if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) == 0 && info->pAttachments != nullptr) {
    for (uint32_t i = 0; i < info->attachmentCount; ++i) {
      state->views.emplace_back(static_cast<PlainObject*>(call.tracker().objects().Find(
          Api::kVulkan, ObjectKind::kImageView, HandleOf(info->pAttachments[i]))));
    }
  }
}

void CmdBeginRenderPass::Before(VkCall& call, VkCommandBuffer commands,
                                const VkRenderPassBeginInfo* info, VkSubpassContents contents) {
  BeginPass(call, commands, *info, contents);
}
void CmdBeginRenderPass2::Before(VkCall& call, VkCommandBuffer commands,
                                 const VkRenderPassBeginInfo* info,
                                 const VkSubpassBeginInfo* begin) {
  BeginPass(call, commands, *info, begin->contents);
}
void CmdNextSubpass::Before(VkCall& call, VkCommandBuffer commands, VkSubpassContents contents) {
  NextSubpass(call, commands, contents);
}
void CmdNextSubpass2::Before(VkCall& call, VkCommandBuffer commands,
                             const VkSubpassBeginInfo* begin, const VkSubpassEndInfo*) {
  NextSubpass(call, commands, begin->contents);
}
void CmdEndRenderPass::Before(VkCall& call, VkCommandBuffer commands) { EndPass(call, commands); }
void CmdEndRenderPass2::Before(VkCall& call, VkCommandBuffer commands, const VkSubpassEndInfo*) {
  EndPass(call, commands);
}

void CmdClearAttachments::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                                 const VkClearAttachment* attachments, uint32_t rect_count,
                                 const VkClearRect* rects) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  AttachmentUses uses = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageAspectFlags aspects = attachments[i].aspectMask;
    if ((aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0 && attachments[i].colorAttachment < 32)
      uses |= ColorWritten(attachments[i].colorAttachment);
    if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0) uses |= kDepthWritten;
    if ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) uses |= kStencilWritten;
  }
  const PassInstance& pass = recorder.state().pass;
  DeferredUses by{uses, &call.info(), recorder.site(), false};
  for (uint32_t i = 0; i < rect_count; ++i) {
    by.area = rects[i];
    // With multiview the clear affects the layers of all views (Vulkan 1.3 §19.3).
    if (pass.pass_info != nullptr && pass.pass_info->views != 0) by.area.layerCount = 0;
    RecordUses(recorder, by);
  }
}

void CmdBeginRendering::Before(VkCall& call, VkCommandBuffer commands,
                               const VkRenderingInfo* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  PassInstance& pass = recorder.state().pass;
  pass.Clear();
  pass.kind = PassInstance::Kind::kRendering;
  pass.begun = true;
  recorder.state().bindings.compute.plain_at = 0;
  // VK_RENDERING_CONTENTS_INLINE_BIT_KHR allows both, together with the other bit.
  pass.is_inline = (info->flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT) == 0;
  // Loads, clears and stores are in rasterization order, as in a render pass with one subpass.
  recorder.Append<RecordedSubpass>(uint32_t{0});
  for (uint32_t i = 0; i < info->colorAttachmentCount; ++i)
    AddRendering(recorder, &info->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT, i, *info);
  const VkRenderingAttachmentInfo* depth = info->pDepthAttachment;
  const VkRenderingAttachmentInfo* stencil = info->pStencilAttachment;
  // In most cases both are one view, whose layout is then known completely.
  const bool one =
      depth != nullptr && stencil != nullptr && depth->imageView == stencil->imageView &&
      depth->imageLayout == stencil->imageLayout && depth->loadOp == stencil->loadOp &&
      depth->storeOp == stencil->storeOp && depth->resolveMode == VK_RESOLVE_MODE_NONE &&
      stencil->resolveMode == VK_RESOLVE_MODE_NONE;
  constexpr uint32_t kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  AddRendering(recorder, depth, one ? kDepth | kStencil : kDepth, 0, *info);
  if (!one) AddRendering(recorder, stencil, kStencil, 0, *info);
}

void CmdEndRendering::Before(VkCall& call, VkCommandBuffer commands) { EndPass(call, commands); }

}  // namespace gpusan::vulkan
