// Defect framebuffer: A render pass is begun with a framebuffer that was created for a render pass
// whose attachment has another format.
// EXPECT error binding-invalid vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-renderPass-00904
// Defect pipeline: A draw uses a pipeline that was created for a render pass whose attachment has
// another format.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-renderPass-02684
// Defect pipeline_of_a_rendering: In dynamic rendering a draw uses a pipeline that was created for
// an attachment of another format.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08910
// Defect formats: Dynamic rendering executes a secondary command buffer that was begun for an
// attachment of another format.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-imageView-06028
// Defect rendering_flags: A rendering that is suspended executes a secondary command buffer whose
// inheritance info lacks VK_RENDERING_SUSPENDING_BIT.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-flags-06026
// Fix: The framebuffer and the pipeline were created for the formats of the render pass.
// EXIT any
#include "common/vulkan_deferred.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

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

// Fix: The inheritance info has the format of the attachment and the flags of the rendering.
static void SecondaryOfOther() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer secondary = MakeSecondary();
  VkFormat format = kRenderingFormat;
  VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  formats.pColorAttachmentFormats = &format;
  formats.flags = VK_RENDERING_SUSPENDING_BIT;
#ifdef DEFECT_formats
  format = VK_FORMAT_R16G16B16A16_SFLOAT;
#elif defined(DEFECT_rendering_flags)
  formats.flags = 0;
#endif
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  BeginRendering(rendering,
                 VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT | VK_RENDERING_SUSPENDING_BIT);
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}

int main() {
  Framebuffer();
  Pipeline();
  PipelineOfARendering();
  SecondaryOfOther();
}
