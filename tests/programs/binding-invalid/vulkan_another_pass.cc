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
// Defect formats: Dynamic rendering executes a secondary command buffer that was begun for an
// attachment of another format.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-imageView-06028
// EXIT any
// Defect rendering_flags: A rendering that is suspended executes a secondary command buffer whose
// inheritance info lacks VK_RENDERING_SUSPENDING_BIT.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-flags-06026
// EXIT any
// Defect images_of_an_imageless_frame: A render pass begins with views of images that have another
// usage, or another size, than the imageless framebuffer was created for.
// EXPECT error binding-invalid vkCmdBeginRenderPass at USAGE
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-framebuffer-04627
// EXPECT error binding-invalid vkCmdBeginRenderPass at SIZE
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-framebuffer-03211
// Fix: The framebuffer and the pipeline were created for the formats of the render pass.
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

// Fix: The framebuffer was created for these images.
static VkFramebuffer MakeImageless(VkRenderPass pass, VkImageUsageFlags usage, uint32_t width) {
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkFramebufferAttachmentImageInfo image = {VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO};
  image.usage = usage;
  image.width = width;
  image.height = kPassSize;
  image.layerCount = 1;
  image.viewFormatCount = 1;
  image.pViewFormats = &format;
  VkFramebufferAttachmentsCreateInfo images = {
      VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO};
  images.attachmentImageInfoCount = 1;
  images.pAttachmentImageInfos = &image;
  VkFramebufferCreateInfo info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, &images};
  info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  info.renderPass = pass;
  info.attachmentCount = 1;
  info.width = info.height = kPassSize;
  info.layers = 1;
  VkFramebuffer made;
  OK(vkCreateFramebuffer(device, &info, nullptr, &made));
  return made;
}

static void ImagesOfAnImagelessFrame() {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.imagelessFramebuffer = VK_TRUE;
  Open({.features = &features});
  const Image image = MakeImage(PassImage());
  const VkImageView view = ViewOf(image.handle);
  const VkSubpassDependency after = {VK_SUBPASS_EXTERNAL,
                                     0,
                                     VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     0};
  const VkRenderPass pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, &after);
  VkImageUsageFlags usage = PassImage().usage;
  uint32_t width = kPassSize;
#ifdef DEFECT_images_of_an_imageless_frame
  usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  width = 2 * kPassSize;
#endif
  const VkFramebuffer by_usage = MakeImageless(pass, usage, kPassSize);
  const VkFramebuffer by_size = MakeImageless(pass, PassImage().usage, width);
  VkRenderPassAttachmentBeginInfo attachments = {
      VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO};
  attachments.attachmentCount = 1;
  attachments.pAttachments = &view;
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &attachments};
  begin.renderPass = pass;
  begin.framebuffer = by_usage;
  begin.renderArea.extent = {kPassSize, kPassSize};
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  Begin();
  // @USAGE
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  begin.framebuffer = by_size;
  // @SIZE
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  vkDestroyFramebuffer(device, by_usage, nullptr);
  vkDestroyFramebuffer(device, by_size, nullptr);
  Close(pass, view, image);
}

int main() {
  Framebuffer();
  Pipeline();
  PipelineOfARendering();
  SecondaryOfOther();
  ImagesOfAnImagelessFrame();
}
