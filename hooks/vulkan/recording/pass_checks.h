// Checks framebuffers, pipelines and secondary command buffers against render passes and dynamic
// rendering.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/pipelines.h"
#include "hooks/vulkan/shaders/render_pass_info.h"

namespace gpusan::vulkan {

// Adds a finding if the image lacks the usage of a color attachment, or of a depth and stencil
// attachment. `vuid`: without "VUID-".
void CheckColorUsage(VkCall& call, const ImageViewState& view, const Resource& image,
                     const char* vuid);
void CheckDepthUsage(VkCall& call, const ImageViewState& view, const Resource& image,
                     const char* vuid);
// Adds findings for views of a framebuffer that do not fit its render pass. Precondition: it is not
// imageless, and pAttachments is valid.
void CheckFramebuffer(VkCall& call, const VkFramebufferCreateInfo& info);

// The render area if it is the only one, and in the coordinates of the attachments; otherwise an
// area without extent. `chain`: pNext of the structure that has it.
VkRect2D PlainArea(const VkRect2D& area, const void* chain);
// Checks the arguments with which a render pass instance begins.
void CheckBegin(VkCall& call, const VkRenderPassBeginInfo& info, const PlainObject& pass,
                const RenderPassInfo& pass_info, const PlainObject& frame,
                const FramebufferState& framebuffer);
// Checks a view that an imageless framebuffer is given, against the description of its attachment.
void CheckGivenView(VkCall& call, const RenderPassInfo::Attachment& attachment,
                    const ImageViewState& view, const Resource& image);
// Checks the usage of an attachment against the layouts with which the render pass begins and ends.
// The same for the image of an attachment against that of VkFramebufferAttachmentImageInfo.
void CheckPlanned(VkCall& call, const FramebufferState::Planned& planned,
                  const ImageViewState& view, const Resource& image);
void CheckAttachmentLayouts(VkCall& call, const Resource& image,
                            const RenderPassInfo::Attachment& attachment);
// Checks the render area of dynamic rendering against the view of an attachment. Returns false,
// after adding a finding, if it does not fit.
bool CheckRenderArea(VkCall& call, const VkRenderingInfo& info, const Resource& image,
                     const ImageViewState& view);
// Checks what vkCmdClearAttachments clears.
void CheckClears(VkCall& call, const CommandBufferState& state, uint32_t count,
                 const VkClearAttachment* attachments, uint32_t rect_count,
                 const VkClearRect* rects);
// Checks that the instance may end here. `rendering`: the command ends dynamic rendering.
void CheckEnd(VkCall& call, const CommandBufferState& state, bool rendering);

// Adds a finding if the pipeline writes one of these aspects, with the dynamic state in `bindings`.
[[gnu::noinline]] void CheckReadOnly(VkCall& call, uint32_t read_only, const PlainObject& object,
                                     const PipelineState& pipeline, const Bindings& bindings);

// Checks a draw with the pipeline in the instance.
[[gnu::noinline]] void CheckNewPipeline(VkCall& call, const PassInstance& pass,
                                        const PlainObject& object, const PipelineState& pipeline);
inline void CheckPipeline(VkCall& call, const PassInstance& pass, const PlainObject& object,
                          const PipelineState& pipeline) {
  if (pipeline.compatibility != pass.compatibility || pipeline.subpass != pass.subpass) [[unlikely]]
    CheckNewPipeline(call, pass, object, pipeline);
}
// Checks the inheritance info of a secondary command buffer against the instance that executes it.
void CheckInheritance(VkCall& call, const PassInstance& pass, const CommandBufferState& secondary);

}  // namespace gpusan::vulkan
