// Render passes: the accesses of render passes and their subpasses to the attachments.
#include "hooks/vulkan/recording/render_passes.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/attachment_uses.h"
#include "hooks/vulkan/recording/barriers.h"
#include "hooks/vulkan/recording/pass_checks.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/recording/rendering_info_checks.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/null_argument.h"

namespace gpusan::vulkan {
namespace {

VkImageView HandleAt(const VkRenderPassBeginInfo& info, uint32_t index) {
  const auto* given = FindInChain<VkRenderPassAttachmentBeginInfo>(
      info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  return given != nullptr && given->pAttachments != nullptr && index < given->attachmentCount
             ? given->pAttachments[index]
             : VK_NULL_HANDLE;
}

// Within the render pass all accesses to an attachment are ordered.
constexpr GivenMasks kInside = {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
                                VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

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
  pass.read_only = pass_info.ReadOnlyIn(subpass);
  for (const RenderPassInfo::Use& use : pass_info.subpasses[subpass].uses) {
    PassInstance::Attachment* attachment = pass.Find(use.attachment);
    if (attachment == nullptr) continue;
    const bool first = pass_info.attachments[use.attachment].first_subpass == subpass;
    const bool changes = attachment->layout != use.layout;
    const GivenMasks masks =
        first ? pass_info.Before(subpass, changes) : pass_info.Between(subpass);
    if (changes || masks.source_stages != VK_PIPELINE_STAGE_2_NONE) {
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
  recorder.Append<RecordedSubpass>(subpass, false);
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

// The begin or end of a render pass whose dependencies, attachments or layouts are unknown: it may
// order and write anything.
void RecordUnknownPass(Recorder& recorder) {
  constexpr GivenMasks kAll = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                               VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                               VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
  RecordBarrier(recorder, kAll);
  recorder.NextCommand();
  recorder.state().unseen_writes = true;
  layouts_unknown.store(true, std::memory_order_relaxed);
}

// Whether the subpass takes commands only, and no secondary command buffers.
void SetContents(VkSubpassContents contents, PassInstance* pass) {
  pass->is_inline = contents == VK_SUBPASS_CONTENTS_INLINE;
  pass->only_secondaries = contents == VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS;
}

// Adds a finding if the image of the view was destroyed.
void CheckImageLives(Recorder& recorder, const ImageViewState* view) {
  const Resource* image = view != nullptr ? view->image.get() : nullptr;
  if (image == nullptr || image->live()) return;
  VkCall& call = recorder.call();
  rules::OnStaleUse({image, image->handle, &call.info(), recorder.site()}, call);
}

// Returns the view of an attachment of a render pass, or nullptr.
PlainObject* ViewOfAttachment(VkCall& call, const VkRenderPassBeginInfo& info,
                              const FramebufferState& framebuffer, uint32_t index) {
  constexpr const char* kArgument = "pAttachments[]";
  if (index < framebuffer.views.size()) {
    PlainObject* view = framebuffer.views[index].get();
    if (view == nullptr || view->live()) return view;
    UseHandle(call, ObjectKind::kImageView, view->handle, kArgument);
    return nullptr;
  }
  const VkImageView handle = HandleAt(info, index);
  if (handle == VK_NULL_HANDLE) return nullptr;
  return static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kImageView, HandleOf(handle), kArgument));
}

// Adds an attachment to the pass instance that begins.
void AddAttachment(Recorder& recorder, const VkRenderPassBeginInfo& info,
                   const FramebufferState& framebuffer, uint32_t index) {
  VkCall& call = recorder.call();
  PassInstance& pass = recorder.state().pass;
  PlainObject* view = ViewOfAttachment(call, info, framebuffer, index);
  const ImageViewState* state;
  Resource* image = ImageOfView(view, &state);
  if (view != nullptr && DescriptionOf<ImageViewState>(view) == nullptr) [[unlikely]]
    RecordUnknownPass(recorder);
  if (image == nullptr) return CheckImageLives(recorder, state);
  recorder.Hold(*view);
  const RenderPassInfo::Attachment& planned = pass.pass_info->attachments[index];
  if (framebuffer.views.empty() && planned.used) CheckGivenView(call, planned, *state, *image);
  if (index < framebuffer.planned.size())
    CheckPlanned(call, framebuffer.planned[index], *state, *image);
  CheckAttachmentLayouts(call, *image, planned);
  // Without a subpass that uses it, only the layout of an attachment changes.
  if (!planned.used && planned.initial_layout == planned.final_layout) return;
  PassInstance::Attachment attachment;
  attachment.used = planned.used;
  attachment.image = WeakRef<Resource>(image);
  attachment.part = state->part;
  attachment.part.aspects = ImageOf(*image).aspects;
  attachment.layout = planned.initial_layout;
  attachment.final_layout = planned.final_layout;
  attachment.index = index;
  attachment.drawn =
      DrawnOf(*image, attachment.part, info.renderArea, framebuffer.layers, pass.pass_info->views);
  attachment.depth = planned.depth;
  attachment.resolved = planned.resolved;
  attachment.writable = planned.writable;
  attachment.stored = planned.stored();
  // With multiview the stored layers are not known.
  if (pass.pass_info->views == 0) attachment.dropped = planned.dropped();
  pass.attachments.push_back(attachment);
}

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
    SetContents(contents, &pass);
    // Dispatches inside of the pass take the slow path, which reports them.
    recorder.state().bindings.compute.plain_at = 0;
  };
  enter(recorder.state().pass);
  recorder.state().recording->renderings().Begin(false, false, {&call.info(), recorder.site()});
  if (object != nullptr) recorder.Hold(*object);
  if (frame != nullptr) recorder.Hold(*frame);
  const auto* described = DescriptionOf<RenderPassState>(object);
  const auto* framebuffer = DescriptionOf<FramebufferState>(frame);
  if (described == nullptr || framebuffer == nullptr) {
    if (object != nullptr && frame != nullptr) RecordUnknownPass(recorder);
    return;
  }
  CheckBegin(call, info, *object, *described->pass_info, *frame, *framebuffer);
  PassInstance& pass = recorder.state().pass;
  pass.pass_info = described->pass_info;
  if (pass.pass_info->subpasses.empty()) return enter(pass);
  pass.compatibility = pass.pass_info->compatibility;
  pass.framebuffer = frame->handle;
  pass.area = PlainArea(info.renderArea, info.pNext);
  if (pass.pass_info->views == 0) pass.layers = framebuffer->layers;
  for (uint32_t i = 0; i < pass.pass_info->attachments.size(); ++i)
    AddAttachment(recorder, info, *framebuffer, i);
  EnterSubpass(recorder);
}

void NextSubpass(VkCall& call, VkCommandBuffer commands, VkSubpassContents contents) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  const bool second = IsSecond(call);
  CheckNoFeedback(call, recorder.state(), second ? "02350" : "02349");
  PassInstance& pass = recorder.state().pass;
  SetContents(contents, &pass);
  if (pass.pass_info == nullptr) return;
  if (pass.subpass + 1 >= pass.pass_info->subpasses.size()) [[unlikely]] {
    if (pass.begun) {
      ReportSync(call, *recorder.state().object, rules::SyncStateUse::Fault::kNoNextSubpass,
                 absl::StrCat(pass.pass_info->subpasses.size()));
    }
    return;
  }
  ++pass.subpass;
  EnterSubpass(recorder);
}

// The layers of an attachment, as bits, that dependencies must order between its uses by earlier
// subpasses and its store, which happens in the last subpass of the pass; 0: none. Other stores
// count as ordered after all uses in the pass.
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

// `rendering`: the command ends dynamic rendering.
void EndPass(VkCall& call, VkCommandBuffer commands, bool rendering) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInside();
  CheckEnd(call, recorder.state(), rendering);
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
    // Only the end of a rendering uses the target of a resolve.
    const Layout layout =
        attachment.resolve_target && attachment.stored != 0 ? attachment.layout : kNoLayout;
    RecordStore(recorder, attachment, *image, layout, StoredInOrder(pass, attachment) != 0);
  }
  recorder.NextCommand();
  recorder.Append<RecordedSubpass>(RecordedSubpass::kNone, rendering);
  if (pass.pass_info != nullptr) {
    const RenderPassInfo& pass_info = *pass.pass_info;
    for (const PassInstance::Attachment& attachment : pass.attachments) {
      Resource* image = attachment.image.get();
      if (image == nullptr || !image->live()) continue;
      const uint32_t last = pass_info.attachments[attachment.index].last_subpass;
      RecordImageBarrier(recorder, *image, attachment.part,
                         attachment.used
                             ? pass_info.Behind(last, attachment.layout != attachment.final_layout)
                             : pass_info.BehindUnused(),
                         attachment.layout, attachment.final_layout);
    }
    for (const RenderPassInfo::Dependency& dependency : pass_info.dependencies) {
      if (dependency.target == VK_SUBPASS_EXTERNAL) RecordBarrier(recorder, dependency.masks);
    }
  } else if (!rendering && pass.begun) {
    RecordUnknownPass(recorder);
  }
  pass.Clear();
}

// Adds an attachment to the formats of dynamic rendering. `aspects`: as for AddRendering.
void NoteFormat(const ImageViewState& view, const ImageState& image, uint32_t aspects,
                RenderingFormats* formats) {
  if (aspects == VK_IMAGE_ASPECT_COLOR_BIT) {
    formats->colors.push_back(view.format);
  } else {
    if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0) formats->depth = view.format;
    if ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) formats->stencil = view.format;
  }
  formats->samples |= image.samples;
}

// Checks the usage of an image that is attached as these aspects.
void CheckUsage(VkCall& call, const ImageViewState& view, const Resource& image, uint32_t aspects) {
  if (aspects == VK_IMAGE_ASPECT_COLOR_BIT)
    return CheckColorUsage(call, view, image, "VkRenderingInfo-colorAttachmentCount-06087");
  CheckDepthUsage(call, view, image,
                  aspects == VK_IMAGE_ASPECT_STENCIL_BIT
                      ? "VkRenderingInfo-pStencilAttachment-06089"
                      : "VkRenderingInfo-pDepthAttachment-06088");
}

// Adds an attachment of dynamic rendering, and its resolve target. `aspects`: the aspects that are
// attached, whatever those of the view. `slot`: of a color attachment. `fits`: whether the render
// area is inside of all attachments so far. Returns false if the image is unknown.
bool AddRendering(Recorder& recorder, const VkRenderingAttachmentInfo* given, uint32_t aspects,
                  uint32_t slot, const VkRenderingInfo& info, bool* fits) {
  const VkRenderingFlags flags = info.flags;
  const bool depth = aspects != VK_IMAGE_ASPECT_COLOR_BIT;
  PassInstance& pass = recorder.state().pass;
  if (given == nullptr || given->imageView == VK_NULL_HANDLE) {
    if (!depth) pass.formats.colors.push_back(VK_FORMAT_UNDEFINED);
    return true;
  }
  const bool resumes = (flags & VK_RENDERING_RESUMING_BIT) != 0;
  bool known = true;
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
    if (image == nullptr) {
      CheckImageLives(recorder, state);
      known = known && target.resolve;
      continue;
    }
    recorder.Hold(*view);
    if (!target.resolve) {
      pass.read_only |= ReadOnlyAspects(target.layout) & aspects & ImageOf(*image).aspects;
      NoteFormat(*state, ImageOf(*image), aspects, &pass.formats);
      *fits = *fits && CheckRenderArea(recorder.call(), info, *image, *state);
      CheckUsage(recorder.call(), *state, *image, aspects);
    }
    ImagePart part = state->part;
    if (depth) part.aspects = aspects & ImageOf(*image).aspects;
    PassInstance::Attachment instance;
    instance.image = WeakRef<Resource>(image);
    instance.part = part;
    instance.layout = instance.final_layout = target.layout;
    // With multiview a clear affects the layers of all views, which are not kept.
    instance.index = target.resolve || info.viewMask != 0 ? kNoSlot : slot;
    instance.depth = depth;
    instance.resolved = depth && target.resolve;
    instance.resolve_target = target.resolve;
    instance.local_read = !target.resolve && IsLocalRead(*image, target.layout);
    instance.writable = WritableAspects(target.layout);
    const bool stores = (flags & VK_RENDERING_SUSPENDING_BIT) == 0 &&
                        (target.resolve || given->storeOp != VK_ATTACHMENT_STORE_OP_NONE);
    instance.stored = stores ? ~uint32_t{0} : 0;
    if (stores && !target.resolve && info.viewMask == 0 &&
        given->storeOp == VK_ATTACHMENT_STORE_OP_DONT_CARE)
      instance.dropped = aspects;
    // One for each run of views.
    ForEachView(DrawnOf(*image, part, info.renderArea, info.layerCount, info.viewMask),
                part.whole() ? info.viewMask : 0, [&](const ImagePart& drawn) {
                  if (!resumes && !target.resolve) {
                    RecordLoad(recorder, *image, drawn, depth, given->loadOp, target.layout,
                               IsLocalRead(*image, target.layout));
                  }
                  instance.drawn = drawn;
                  pass.attachments.push_back(instance);
                });
  }
  return known;
}

// Notes the attachments of dynamic rendering that a secondary command buffer names.
void InheritRendering(VkCall& call, const VkCommandBufferInheritanceInfo& info,
                      PassInstance* pass) {
  const auto* given = FindInChain<VkCommandBufferInheritanceRenderingInfo>(
      info.pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
  if (given == nullptr ||
      (given->colorAttachmentCount != 0 && given->pColorAttachmentFormats == nullptr))
    return;
  RenderingFormats& formats = pass->formats;
  formats.colors.assign(given->pColorAttachmentFormats,
                        given->pColorAttachmentFormats + given->colorAttachmentCount);
  formats.depth = given->depthAttachmentFormat;
  formats.stencil = given->stencilAttachmentFormat;
  formats.views = given->viewMask;
  pass->flags = given->flags;
  const bool attached =
      formats.depth != VK_FORMAT_UNDEFINED || formats.stencil != VK_FORMAT_UNDEFINED ||
      std::ranges::any_of(formats.colors,
                          [](VkFormat format) { return format != VK_FORMAT_UNDEFINED; });
  // Without attachments any number of samples is valid.
  if (attached && !call.device().mixes_samples) formats.samples = given->rasterizationSamples;
  pass->compatibility = formats.Compatibility();
}

// Adds findings for attachments that are loaded from an undefined layout.
template <typename Info>
void CheckLoads(VkCall& call, const PlainObject& pass, const Info& info) {
  constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  constexpr bool kSecond = std::is_same_v<Info, VkRenderPassCreateInfo2>;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    const auto& attachment = info.pAttachments[i];
    if (attachment.initialLayout != VK_IMAGE_LAYOUT_UNDEFINED) continue;
    bool own_layout = false;  // of stencil
    if constexpr (kSecond) {
      own_layout =
          FindInChain<VkAttachmentDescriptionStencilLayout>(
              attachment.pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT) != nullptr;
    }
    const VkImageAspectFlags aspects = AspectsOf(attachment.format);
    const auto report = [&](const char* aspect, const char* vuid) {
      ReportSync(call, pass, rules::SyncStateUse::Fault::kLoadsUndefined,
                 absl::StrCat(aspect, " of attachment ", i), vuid);
    };
    if ((aspects & ~kStencil) != 0 && attachment.loadOp == VK_ATTACHMENT_LOAD_OP_LOAD) {
      report((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "depth" : "color", "format-06699");
    } else if ((aspects & kStencil) != 0 && !own_layout &&
               attachment.stencilLoadOp == VK_ATTACHMENT_LOAD_OP_LOAD) {
      report("stencil", kSecond ? "pNext-06704" : "format-06700");
    }
  }
}

// Whether an attachment, or its use in a subpass, has a layout of stencil of its own.
bool NamesStencilLayouts(const VkRenderPassCreateInfo&) { return false; }
bool NamesStencilLayouts(const VkRenderPassCreateInfo2& info) {
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    if (FindInChain<VkAttachmentDescriptionStencilLayout>(
            info.pAttachments[i].pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT) !=
        nullptr)
      return true;
  }
  const auto names = [](const VkAttachmentReference2& reference) {
    return FindInChain<VkAttachmentReferenceStencilLayout>(
               reference.pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT) != nullptr;
  };
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const VkSubpassDescription2& subpass = info.pSubpasses[i];
    if (subpass.pDepthStencilAttachment != nullptr && names(*subpass.pDepthStencilAttachment))
      return true;
    for (uint32_t j = 0; j < subpass.inputAttachmentCount; ++j) {
      if (names(subpass.pInputAttachments[j])) return true;
    }
  }
  return false;
}

template <typename Info>
void KeepPass(VkCall& call, VkRenderPass handle, const Info& info) {
  KeepShared<RenderPassState>(
      call, ObjectKind::kRenderPass, HandleOf(handle), [&](RenderPassState* pass) {
        pass->pass_info = std::make_shared<const RenderPassInfo>(MakeRenderPassInfo(info));
      });
  if (NamesStencilLayouts(info))
    call.device().stencil_layouts_in_passes.store(true, std::memory_order_relaxed);
  auto* object = static_cast<PlainObject*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kRenderPass, HandleOf(handle)));
  if (object != nullptr) CheckLoads(call, *object, info);
}

}  // namespace

void InheritPass(VkCall& call, const VkCommandBufferInheritanceInfo& info, PassInstance* pass) {
  pass->Clear();
  if (info.renderPass == VK_NULL_HANDLE) return InheritRendering(call, info, pass);
  const auto* state =
      FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info.renderPass));
  if (state == nullptr || info.subpass >= state->pass_info->subpasses.size()) return;
  pass->pass_info = state->pass_info;
  pass->subpass = info.subpass;
  pass->compatibility = state->pass_info->compatibility;
  pass->framebuffer = HandleOf(info.framebuffer);
  pass->inherited = true;
  pass->read_only = state->pass_info->ReadOnlyIn(info.subpass);
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
  UseHandle(call, ObjectKind::kRenderPass, HandleOf(info->renderPass), "renderPass");
  if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0) return;
  for (uint32_t i = 0; i < info->attachmentCount; ++i)
    UseHandle(call, ObjectKind::kImageView, HandleOf(info->pAttachments[i]), "pAttachments[]");
  CheckFramebuffer(call, *info);
}

void CreateFramebuffer::After(VkCall& call, VkResult code, VkDevice,
                              const VkFramebufferCreateInfo* info, const VkAllocationCallbacks*,
                              VkFramebuffer* handle) {
  if (code != VK_SUCCESS) return;
  const auto* pass =
      FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info->renderPass));
  KeepShared<FramebufferState>(
      call, ObjectKind::kFramebuffer, HandleOf(*handle), [&](FramebufferState* state) {
        state->width = info->width;
        state->height = info->height;
        state->layers = info->layers;
        state->compatibility = pass != nullptr ? pass->pass_info->compatibility : 0;
        if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0 ||
            info->pAttachments == nullptr) {
          const auto* planned = FindInChain<VkFramebufferAttachmentsCreateInfo>(
              info->pNext, VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO);
          for (uint32_t i = 0; planned != nullptr && i < planned->attachmentImageInfoCount; ++i) {
            const VkFramebufferAttachmentImageInfo& image = planned->pAttachmentImageInfos[i];
            state->planned.push_back({ImageUsageOf(image.pNext, image.usage), image.width,
                                      image.height, image.layerCount});
          }
          return;
        }
        for (uint32_t i = 0; i < info->attachmentCount; ++i) {
          state->views.emplace_back(static_cast<PlainObject*>(call.tracker().objects().Find(
              Api::kVulkan, ObjectKind::kImageView, HandleOf(info->pAttachments[i]))));
        }
      });
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
void CmdEndRenderPass::Before(VkCall& call, VkCommandBuffer commands) {
  EndPass(call, commands, false);
}
void CmdEndRenderPass2::Before(VkCall& call, VkCommandBuffer commands, const VkSubpassEndInfo*) {
  EndPass(call, commands, false);
}

void CmdClearAttachments::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                                 const VkClearAttachment* attachments, uint32_t rect_count,
                                 const VkClearRect* rects) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedInline();
  AttachmentUses uses = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const VkImageAspectFlags aspects = attachments[i].aspectMask;
    if ((aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0 && attachments[i].colorAttachment < 32)
      uses |= ColorWritten(attachments[i].colorAttachment);
    if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0) uses |= kDepthWritten;
    if ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) uses |= kStencilWritten;
  }
  const PassInstance& pass = recorder.state().pass;
  CheckClears(call, recorder.state(), count, attachments, rect_count, rects);
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
  if (!call.device().features.dynamic_rendering) [[unlikely]]
    ReportSync(call, *recorder.state().object, rules::SyncStateUse::Fault::kLacksFeature,
               "dynamicRendering", "vkCmdBeginRendering-dynamicRendering-06446");
  CheckRenderingInfo(call, *info);
  PassInstance& pass = recorder.state().pass;
  pass.Clear();
  pass.kind = PassInstance::Kind::kRendering;
  pass.begun = true;
  recorder.state().bindings.compute.plain_at = 0;
  // VK_RENDERING_CONTENTS_INLINE_BIT_KHR allows both, together with the other bit.
  constexpr VkRenderingFlags kInlineToo = 0x10;
  pass.is_inline = (info->flags & VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT) == 0;
  pass.only_secondaries = !pass.is_inline && (info->flags & kInlineToo) == 0;
  const bool suspends = (info->flags & VK_RENDERING_SUSPENDING_BIT) != 0;
  const bool resumes = (info->flags & VK_RENDERING_RESUMING_BIT) != 0;
  recorder.state().recording->renderings().Begin(
      resumes, suspends,
      {&call.info(), recorder.site(), suspends || resumes ? ContentsOf(*info) : 0});
  // Loads, clears and stores are in rasterization order, as in a render pass with one subpass.
  recorder.Append<RecordedSubpass>(uint32_t{0}, true, suspends);
  pass.formats.views = info->viewMask;
  pass.flags = info->flags;
  if (info->viewMask == 0) pass.layers = info->layerCount;
  pass.area = PlainArea(info->renderArea, info->pNext);
  bool known = true, fits = true;
  for (uint32_t i = 0; i < info->colorAttachmentCount; ++i) {
    known &= AddRendering(recorder, &info->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT, i,
                          *info, &fits);
  }
  const VkRenderingAttachmentInfo* depth = info->pDepthAttachment;
  const VkRenderingAttachmentInfo* stencil = info->pStencilAttachment;
  // In most cases both are one view, whose layout is then known completely.
  const bool one =
      depth != nullptr && stencil != nullptr && depth->imageView == stencil->imageView &&
      depth->imageLayout == stencil->imageLayout && depth->loadOp == stencil->loadOp &&
      depth->storeOp == stencil->storeOp && depth->resolveMode == VK_RESOLVE_MODE_NONE &&
      stencil->resolveMode == VK_RESOLVE_MODE_NONE;
  constexpr uint32_t kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  known &= AddRendering(recorder, depth, one ? kDepth | kStencil : kDepth, 0, *info, &fits);
  if (!one) known &= AddRendering(recorder, stencil, kStencil, 0, *info, &fits);
  // Attachments may have different numbers of samples, if extensions allow it.
  if (call.device().mixes_samples || !std::has_single_bit(pass.formats.samples))
    pass.formats.samples = 0;
  if (known) pass.compatibility = pass.formats.Compatibility();
}

void CmdEndRendering::Before(VkCall& call, VkCommandBuffer commands) {
  EndPass(call, commands, true);
}

}  // namespace gpusan::vulkan
