// Defect: A frame is drawn by a render pass that has no dependency on what is outside of it: its
// change of the image's layout does not wait for the semaphore of the image.
// Fix: A frame is drawn by a render pass whose change of the image's layout waits, by a dependency,
// for the stage at which the semaphore of the image is waited for.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  VkAttachmentDescription attachment = {};
  attachment.format = window.format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &reference;
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1;
  info.pAttachments = &attachment;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
#ifdef DEFECT
  info.dependencyCount = 0;
#else
  info.dependencyCount = 1;
#endif
  info.pDependencies = &dependency;
  VkRenderPass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  std::vector<VkImageView> views(window.images.size());
  std::vector<VkFramebuffer> frames(window.images.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    const VkImageViewCreateInfo view = ViewInfo(window.images[i], window.format);
    OK(vkCreateImageView(device, &view, nullptr, &views[i]));
    VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    frame.renderPass = pass;
    frame.attachmentCount = 1;
    frame.pAttachments = &views[i];
    frame.width = frame.height = kWindowSize;
    frame.layers = 1;
    OK(vkCreateFramebuffer(device, &frame, nullptr, &frames[i]));
  }
  const VkClearValue clear = {};
  for (int i = 0; i < 1; ++i) {
    const uint32_t index = Acquire(window);
    Begin();
    VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    begin.renderPass = pass;
    begin.framebuffer = frames[index];
    begin.renderArea.extent = {kWindowSize, kWindowSize};
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    // @PASS
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    SubmitFrame(window, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
    const VkPresentInfoKHR present = PresentInfo(window, &index);
    OK(vkQueuePresentKHR(queue, &present));
    OK(vkQueueWaitIdle(queue));
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    vkDestroyFramebuffer(device, frames[i], nullptr);
    vkDestroyImageView(device, views[i], nullptr);
  }
  vkDestroyRenderPass(device, pass, nullptr);
  CloseWindow(window);
}
