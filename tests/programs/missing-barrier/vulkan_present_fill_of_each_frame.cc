// Defect: Two frames fill the same buffer before the first is presented, and nothing orders the
// fills: the submissions wait only for the images of the swapchain.
// Fix: A barrier in each frame orders the fill after earlier ones.
// EXPECT error missing-barrier vkCmdFillBuffer at FILL
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-WRITE
// EXPECT-TEXT record a barrier between them
#include "common/vulkan_window.h"

constexpr int kFrames = 2;

int main() {
  const Window window = OpenWindow();
  VkAttachmentDescription attachment = {};
  attachment.format = window.format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
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
  info.dependencyCount = 1;
  info.pDependencies = &dependency;
  VkRenderPass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass));
  std::vector<VkImageView> views(window.images.size());
  std::vector<VkFramebuffer> framebuffers(window.images.size());
  for (size_t i = 0; i < views.size(); ++i) {
    const VkImageViewCreateInfo view = ViewInfo(window.images[i], window.format);
    OK(vkCreateImageView(device, &view, nullptr, &views[i]));
    VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    frame.renderPass = pass;
    frame.attachmentCount = 1;
    frame.pAttachments = &views[i];
    frame.width = frame.height = kWindowSize;
    frame.layers = 1;
    OK(vkCreateFramebuffer(device, &frame, nullptr, &framebuffers[i]));
  }
  const Buffer state = MakeBuffer(256);
  VkCommandBuffer recorded[kFrames];
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = kFrames;
  OK(vkAllocateCommandBuffers(device, &allocate, recorded));
  Window frames[kFrames];
  uint32_t indices[kFrames];
  for (int i = 0; i < kFrames; ++i) {
    frames[i] = window;
    const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    OK(vkCreateSemaphore(device, &semaphore, nullptr, &frames[i].acquired));
    OK(vkCreateSemaphore(device, &semaphore, nullptr, &frames[i].drawn));
    indices[i] = Acquire(frames[i]);
    commands = recorded[i];
    Begin();
#ifndef DEFECT
    const VkMemoryBarrier again = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                   VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &again, 0, nullptr, 0, nullptr);
#endif
    // @FILL
    vkCmdFillBuffer(commands, state.handle, 0, VK_WHOLE_SIZE, static_cast<uint32_t>(i));
    const VkClearValue clear = {};
    VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    begin.renderPass = pass;
    begin.framebuffer = framebuffers[indices[i]];
    begin.renderArea.extent = {kWindowSize, kWindowSize};
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    SubmitFrame(frames[i], VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
  }
  for (int i = 0; i < kFrames; ++i) {
    const VkPresentInfoKHR present = PresentInfo(frames[i], &indices[i]);
    OK(vkQueuePresentKHR(queue, &present));
  }
  OK(vkDeviceWaitIdle(device));
  for (const Window& frame : frames) {
    vkDestroySemaphore(device, frame.acquired, nullptr);
    vkDestroySemaphore(device, frame.drawn, nullptr);
  }
  Destroy(state);
  for (size_t i = 0; i < views.size(); ++i) {
    vkDestroyFramebuffer(device, framebuffers[i], nullptr);
    vkDestroyImageView(device, views[i], nullptr);
  }
  vkDestroyRenderPass(device, pass, nullptr);
  CloseWindow(window);
}
