// See the header.
#include "hooks/vulkan/render_passes.h"

#include "hooks/vulkan/barriers.h"
#include "hooks/vulkan/formats.h"

namespace gpusan::vulkan {
namespace {

constexpr uint64_t kAllAttachmentAccess =
    VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

template <typename Description>
PassAttachment Attachment(const Description& given) {
  PassAttachment attachment;
  attachment.format = given.format;
  attachment.load = given.loadOp;
  attachment.stencil_load = given.stencilLoadOp;
  attachment.store = given.storeOp;
  attachment.stencil_store = given.stencilStoreOp;
  attachment.initial_layout = given.initialLayout;
  attachment.final_layout = given.finalLayout;
  attachment.depth =
      (AspectsOf(given.format) & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)) != 0;
  return attachment;
}

bool IsReadOnly(Layout layout) {
  return layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

template <typename Reference>
void UseIn(RenderPassState* pass, uint32_t subpass, const Reference* reference) {
  if (reference == nullptr || reference->attachment >= pass->attachments.size()) return;
  PassAttachment& attachment = pass->attachments[reference->attachment];
  if (attachment.first_layout == kNoLayout) {
    attachment.first_layout = reference->layout;
    attachment.first_subpass = subpass;
  }
  attachment.last_layout = reference->layout;
  attachment.last_subpass = subpass;
  attachment.read_only = attachment.read_only && IsReadOnly(reference->layout);
}

template <typename Info>
void Describe(const Info& info, RenderPassState* pass) {
  for (uint32_t i = 0; i < info.attachmentCount; ++i)
    pass->attachments.push_back(Attachment(info.pAttachments[i]));
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    const auto& subpass = info.pSubpasses[i];
    for (uint32_t j = 0; j < subpass.inputAttachmentCount; ++j)
      UseIn(pass, i, &subpass.pInputAttachments[j]);
    for (uint32_t j = 0; j < subpass.colorAttachmentCount; ++j) {
      UseIn(pass, i, &subpass.pColorAttachments[j]);
      if (subpass.pResolveAttachments != nullptr) UseIn(pass, i, &subpass.pResolveAttachments[j]);
    }
    UseIn(pass, i, subpass.pDepthStencilAttachment);
  }
}

VkImageView HandleAt(const VkRenderPassBeginInfo& info, uint32_t index) {
  const auto* given = FindInChain<VkRenderPassAttachmentBeginInfo>(
      info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  return given != nullptr && index < given->attachmentCount ? given->pAttachments[index]
                                                            : VK_NULL_HANDLE;
}

// The view's image while it lives; nullptr otherwise.
Resource* ImageOfView(PlainObject* view, const ImageViewState** state) {
  if (view == nullptr || view->part == nullptr) return nullptr;
  *state = static_cast<const ImageViewState*>(view->part);
  Resource* image = (*state)->image.get();
  return image != nullptr && image->live() ? image : nullptr;
}

// Within the render pass everything that happens to an attachment is in order.
constexpr GivenMasks kInside = {
    VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
    VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
    VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

// What orders the first (or last) subpass with what is around the render pass.
GivenMasks ExternalBarrier(const RenderPassState& pass, uint32_t subpass, bool begin) {
  GivenMasks masks;
  bool explicit_dependency = false;
  for (const RenderPassState::Dependency& dependency : pass.dependencies) {
    const bool matches =
        begin ? dependency.source == VK_SUBPASS_EXTERNAL && dependency.target == subpass
              : dependency.target == VK_SUBPASS_EXTERNAL && dependency.source == subpass;
    if (!matches) continue;
    explicit_dependency = true;
    masks.source_stages |= dependency.masks.source_stages;
    masks.source_access |= dependency.masks.source_access;
    masks.target_stages |= dependency.masks.target_stages;
    masks.target_access |= dependency.masks.target_access;
  }
  if (!explicit_dependency) {
    // The implicit ones (Vulkan 1.3 §8.1): behind nothing at the begin, in front of nothing at the
    // end.
    if (begin) {
      masks = {VK_PIPELINE_STAGE_2_NONE, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
               kAllAttachmentAccess};
    } else {
      masks = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kAllAttachmentAccess, VK_PIPELINE_STAGE_2_NONE,
               0};
    }
  }
  return masks;
}

struct AttachmentUse {
  uint64_t stage, read, write;
};
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

// Loads or clears; NONE touches nothing.
void RecordLoad(Recorder& recorder, Resource& image, const ImagePart& part, bool depth,
                VkAttachmentLoadOp load, VkAttachmentLoadOp stencil_load, Layout layout) {
  const AttachmentUse use = UseOf(depth, true);
  const bool stencil = (part.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
  const bool loads =
      load == VK_ATTACHMENT_LOAD_OP_LOAD || (stencil && stencil_load == VK_ATTACHMENT_LOAD_OP_LOAD);
  const bool clears =
      load == VK_ATTACHMENT_LOAD_OP_CLEAR || load == VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  RecordedUse& record = clears ? recorder.Write(image, part, use.stage, use.write, layout)
                               : recorder.Use(image, part, use.stage, use.read, layout);
  record.discards = clears;
  record.unordered = !loads && !clears;
}

void RecordStore(Recorder& recorder, Resource& image, const ImagePart& part, bool depth,
                 bool stores, Layout layout) {
  const AttachmentUse use = UseOf(depth, false);
  RecordedUse& record = recorder.Write(image, part, use.stage, use.write, layout);
  record.unordered = !stores;
}

void BeginPass(VkCall& call, VkCommandBuffer commands, const VkRenderPassBeginInfo& info) {
  auto* object = static_cast<PlainObject*>(
      call.tracker().Use(call, ObjectKind::kRenderPass, HandleOf(info.renderPass), "renderPass"));
  auto* frame = static_cast<PlainObject*>(call.tracker().Use(
      call, ObjectKind::kFramebuffer, HandleOf(info.framebuffer), "framebuffer"));
  Recorder recorder(call, commands);
  if (object == nullptr || frame == nullptr || !recorder) return;
  const auto& pass = static_cast<const RenderPassState&>(*object->part);
  const auto& framebuffer = static_cast<const FramebufferState&>(*frame->part);
  recorder.Hold(*object);
  recorder.Hold(*frame);
  std::vector<PassInstance::Attachment>& kept = recorder.state().pass.attachments;
  kept.clear();
  for (uint32_t i = 0; i < pass.attachments.size(); ++i) {
    PlainObject* view = nullptr;
    if (i < framebuffer.views.size()) {
      view = framebuffer.views[i].get();
      if (view != nullptr && !view->live()) {
        call.tracker().Use(call, ObjectKind::kImageView, view->handle, "pAttachments[]");
        view = nullptr;
      }
    } else if (const VkImageView handle = HandleAt(info, i); handle != VK_NULL_HANDLE) {
      view = static_cast<PlainObject*>(
          call.tracker().Use(call, ObjectKind::kImageView, HandleOf(handle), "pAttachments[]"));
    }
    const ImageViewState* state;
    Resource* image = ImageOfView(view, &state);
    if (image == nullptr) continue;
    recorder.Hold(*view);
    const PassAttachment& attachment = pass.attachments[i];
    if (attachment.first_layout == kNoLayout) continue;
    ImagePart part = state->part;
    part.aspects = ImageOf(*image).aspects;
    RecordImageBarrier(recorder, *image, part,
                       ExternalBarrier(pass, attachment.first_subpass, true),
                       attachment.initial_layout, attachment.first_layout);
    PassInstance::Attachment instance;
    instance.image = WeakRef<Resource>(image);
    instance.part = part;
    instance.layout = attachment.last_layout;
    instance.final_layout = attachment.final_layout;
    instance.masks = ExternalBarrier(pass, attachment.last_subpass, false);
    instance.depth = attachment.depth;
    instance.read_only = attachment.read_only;
    instance.stores = attachment.store != VK_ATTACHMENT_STORE_OP_NONE ||
                      attachment.stencil_store != VK_ATTACHMENT_STORE_OP_NONE;
    kept.push_back(instance);
  }
  for (const RenderPassState::Dependency& dependency : pass.dependencies) {
    if (dependency.source == VK_SUBPASS_EXTERNAL) RecordBarrier(recorder, dependency.masks);
  }
  // The loads come behind what orders them.
  recorder.NextCommand();
  for (uint32_t i = 0, at = 0; i < pass.attachments.size() && at < kept.size(); ++i) {
    const PassAttachment& attachment = pass.attachments[i];
    if (attachment.first_layout == kNoLayout) continue;
    PassInstance::Attachment& instance = kept[at++];
    RecordLoad(recorder, *instance.image.object, instance.part, attachment.depth, attachment.load,
               attachment.stencil_load, attachment.first_layout);
  }
  recorder.state().pass.dependencies.clear();
  for (const RenderPassState::Dependency& dependency : pass.dependencies) {
    if (dependency.target == VK_SUBPASS_EXTERNAL)
      recorder.state().pass.dependencies.push_back(dependency.masks);
  }
}

// Between subpasses everything counts as ordered.
void NextSubpass(VkCall& call, VkCommandBuffer commands) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  RecordBarrier(recorder, kInside);
  for (PassInstance::Attachment& attachment : recorder.state().pass.attachments) {
    // Its layout may be another in each subpass.
    attachment.several_subpasses = true;
  }
}

void EndPass(VkCall& call, VkCommandBuffer commands) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  PassInstance& pass = recorder.state().pass;
  for (const PassInstance::Attachment& attachment : pass.attachments) {
    Resource* image = attachment.image.get();
    if (image == nullptr || !image->live() || attachment.read_only) continue;
    RecordImageBarrier(recorder, *image, attachment.part, kInside, kNoLayout, kNoLayout);
  }
  recorder.NextCommand();
  for (const PassInstance::Attachment& attachment : pass.attachments) {
    Resource* image = attachment.image.get();
    if (image == nullptr || !image->live() || attachment.read_only) continue;
    RecordStore(recorder, *image, attachment.part, attachment.depth, attachment.stores, kNoLayout);
  }
  recorder.NextCommand();
  for (const PassInstance::Attachment& attachment : pass.attachments) {
    Resource* image = attachment.image.get();
    if (image == nullptr || !image->live() || !pass.changes_layouts) continue;
    RecordImageBarrier(recorder, *image, attachment.part, attachment.masks,
                       attachment.several_subpasses ? kNoLayout : attachment.layout,
                       attachment.final_layout);
  }
  for (const GivenMasks& masks : pass.dependencies) RecordBarrier(recorder, masks);
  pass.Clear();
}

void AddRendering(Recorder& recorder, const VkRenderingAttachmentInfo* given, bool depth,
                  VkRenderingFlags flags) {
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
    auto* view = static_cast<PlainObject*>(recorder.call().tracker().Use(
        recorder.call(), ObjectKind::kImageView, HandleOf(target.view), "imageView"));
    const ImageViewState* state;
    Resource* image = ImageOfView(view, &state);
    if (image == nullptr) continue;
    recorder.Hold(*view);
    if (!resumes && !target.resolve) {
      RecordLoad(recorder, *image, state->part, depth, given->loadOp, given->loadOp, target.layout);
    }
    PassInstance::Attachment instance;
    instance.image = WeakRef<Resource>(image);
    instance.part = state->part;
    instance.layout = instance.final_layout = target.layout;
    instance.depth = depth;
    instance.read_only = IsReadOnly(target.layout);
    instance.stores = (flags & VK_RENDERING_SUSPENDING_BIT) == 0 &&
                      (target.resolve || given->storeOp != VK_ATTACHMENT_STORE_OP_NONE);
    recorder.state().pass.attachments.push_back(instance);
  }
}

}  // namespace

void PassInstance::Clear() {
  attachments.clear();
  dependencies.clear();
  changes_layouts = true;
}

void RenderPassState::Reset() {
  attachments.clear();
  dependencies.clear();
  used.Clear();
}

void CreateRenderPass::After(VkCall& call, VkResult code, VkDevice,
                             const VkRenderPassCreateInfo* info, const VkAllocationCallbacks*,
                             VkRenderPass* handle) {
  if (code != VK_SUCCESS) return;
  auto* pass = KeepNew<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(*handle));
  if (pass == nullptr) return;
  Describe(*info, pass);
  for (uint32_t i = 0; i < info->dependencyCount; ++i) {
    const VkSubpassDependency& given = info->pDependencies[i];
    pass->dependencies.push_back(
        {given.srcSubpass,
         given.dstSubpass,
         {given.srcStageMask, given.srcAccessMask, given.dstStageMask, given.dstAccessMask}});
  }
}

void CreateRenderPass2::After(VkCall& call, VkResult code, VkDevice,
                              const VkRenderPassCreateInfo2* info, const VkAllocationCallbacks*,
                              VkRenderPass* handle) {
  if (code != VK_SUCCESS) return;
  auto* pass = KeepNew<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(*handle));
  if (pass == nullptr) return;
  Describe(*info, pass);
  for (uint32_t i = 0; i < info->subpassCount; ++i) {
    const auto* resolve = FindInChain<VkSubpassDescriptionDepthStencilResolve>(
        info->pSubpasses[i].pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
    if (resolve != nullptr) UseIn(pass, i, resolve->pDepthStencilResolveAttachment);
  }
  for (uint32_t i = 0; i < info->dependencyCount; ++i) {
    const VkSubpassDependency2& given = info->pDependencies[i];
    GivenMasks masks = {given.srcStageMask, given.srcAccessMask, given.dstStageMask,
                        given.dstAccessMask};
    if (const auto* barrier =
            FindInChain<VkMemoryBarrier2>(given.pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2)) {
      masks = {barrier->srcStageMask, barrier->srcAccessMask, barrier->dstStageMask,
               barrier->dstAccessMask};
    }
    pass->dependencies.push_back({given.srcSubpass, given.dstSubpass, masks});
  }
}

void CreateFramebuffer::After(VkCall& call, VkResult code, VkDevice,
                              const VkFramebufferCreateInfo* info, const VkAllocationCallbacks*,
                              VkFramebuffer* handle) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<FramebufferState>(call, ObjectKind::kFramebuffer, HandleOf(*handle));
  if (state == nullptr) return;
  if ((info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) == 0) {
    for (uint32_t i = 0; i < info->attachmentCount; ++i) {
      state->views.emplace_back(static_cast<PlainObject*>(call.tracker().Find(
          Api::kVulkan, ObjectKind::kImageView, HandleOf(info->pAttachments[i]))));
    }
  }
}

void CmdBeginRenderPass::Before(VkCall& call, VkCommandBuffer commands,
                                const VkRenderPassBeginInfo* info, VkSubpassContents) {
  BeginPass(call, commands, *info);
}
void CmdBeginRenderPass2::Before(VkCall& call, VkCommandBuffer commands,
                                 const VkRenderPassBeginInfo* info, const VkSubpassBeginInfo*) {
  BeginPass(call, commands, *info);
}
void CmdNextSubpass::Before(VkCall& call, VkCommandBuffer commands, VkSubpassContents) {
  NextSubpass(call, commands);
}
void CmdNextSubpass2::Before(VkCall& call, VkCommandBuffer commands, const VkSubpassBeginInfo*,
                             const VkSubpassEndInfo*) {
  NextSubpass(call, commands);
}
void CmdEndRenderPass::Before(VkCall& call, VkCommandBuffer commands) { EndPass(call, commands); }
void CmdEndRenderPass2::Before(VkCall& call, VkCommandBuffer commands, const VkSubpassEndInfo*) {
  EndPass(call, commands);
}

void CmdBeginRendering::Before(VkCall& call, VkCommandBuffer commands,
                               const VkRenderingInfo* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  PassInstance& pass = recorder.state().pass;
  pass.Clear();
  pass.changes_layouts = false;
  for (uint32_t i = 0; i < info->colorAttachmentCount; ++i)
    AddRendering(recorder, &info->pColorAttachments[i], false, info->flags);
  AddRendering(recorder, info->pDepthAttachment, true, info->flags);
  // Mostly the same image as that of the depth.
  if (info->pDepthAttachment == nullptr || info->pStencilAttachment == nullptr ||
      info->pDepthAttachment->imageView != info->pStencilAttachment->imageView)
    AddRendering(recorder, info->pStencilAttachment, true, info->flags);
}

void CmdEndRendering::Before(VkCall& call, VkCommandBuffer commands) { EndPass(call, commands); }

}  // namespace gpusan::vulkan
