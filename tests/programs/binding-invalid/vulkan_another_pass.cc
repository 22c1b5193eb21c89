// Defect framebuffer: A render pass is begun with a framebuffer that was created for a render pass
// whose attachment has another format.
// EXPECT error binding-invalid vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-renderPass-00904
// EXIT any
// Defect pipeline: A draw uses a pipeline that was created for a render pass whose attachment has
// another format.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-renderPass-02684
// EXIT any
// Defect pipeline_of_a_rendering: In dynamic rendering a draw uses a pipeline that was created for
// an attachment of another format.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08910
// EXIT any
// Fix: The framebuffer and the pipeline were created for the formats of the render pass.
#include "common/vulkan_deferred.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"

// Fix: The framebuffer's own render pass is begun.
static void Framebuffer() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkRenderPass other = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                                            VK_IMAGE_LAYOUT_UNDEFINED, VK_FORMAT_R8G8B8A8_SRGB);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
#ifdef DEFECT_framebuffer
  begin.renderPass = other;
#endif
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(other, pass, image);
}

// Fix: The pipeline is created for the render pass that it draws in.
static void Pipeline() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkRenderPass other = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                                            VK_IMAGE_LAYOUT_UNDEFINED, VK_FORMAT_R8G8B8A8_SRGB);
  const VkPipelineLayout layout = MakePipelineLayout();
  VkRenderPass drawn = pass.pass;
#ifdef DEFECT_pipeline
  drawn = other;
#endif
  const VkPipeline pipeline = MakeDraws(drawn, 0, layout, red_frag, sizeof(red_frag));
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pipeline, layout, other, pass, image);
}

// Fix: The pipeline names the format of the attachment.
static void PipelineOfARendering() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  VkFormat format = kRenderingFormat;
#ifdef DEFECT_pipeline_of_a_rendering
  format = VK_FORMAT_R16G16B16A16_SFLOAT;
#endif
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &format;
  const VkPipeline pipeline =
      MakeDraws(VK_NULL_HANDLE, 0, rendering.layout, red_frag, sizeof(red_frag), &formats);
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pipeline, rendering);
}

int main() {
  Framebuffer();
  Pipeline();
  PipelineOfARendering();
}
