// Defect: The layouts of a render pass do not fit the use of its attachments.
// Fix: The layouts keep the content, and allow the writes.
#include "common/vulkan.h"
#include "common/vulkan_depth.h"

// Defect: A pipeline that writes depth draws in a subpass with the attachment in a layout that
// allows reads only.
// Fix: The subpass has the attachment in a layout that allows writes.
// EXPECT error layout-mismatch vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-06886
static void DepthWrittenInAReadOnlyLayout() {
  DepthWanted wanted;
#ifdef DEFECT
  wanted.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
#endif
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline draws = MakeDepthDraws(pass, 0, layout);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(draws, layout, pass);
}

// Defect: A render pass loads an attachment whose initial layout is undefined, which discards what
// it loads.
// Fix: The render pass names the layout that the image has.
// EXPECT error layout-mismatch vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkAttachmentDescription-format-06699
static void PassLoadsAnUndefinedLayout() {
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
#ifndef DEFECT
  attachment.initialLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
#endif
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = info.subpassCount = 1;
  info.pAttachments = &attachment;
  info.pSubpasses = &subpass;
  VkRenderPass pass;
  // @PASS
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  Destroy(pass);
}

int main() {
  Open();
  DepthWrittenInAReadOnlyLayout();
  PassLoadsAnUndefinedLayout();
  Close();
}
