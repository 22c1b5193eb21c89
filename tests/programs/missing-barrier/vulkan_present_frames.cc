// Defect: Frames of a swapchain use images and buffers without a dependency on the frame before, or
// on the presentation engine.
// Fix: A dependency orders the frame.
#include "common/vulkan_window.h"

struct PresentPass {
  VkRenderPass pass;
  std::vector<VkImageView> views;     // by image of the swapchain
  std::vector<VkFramebuffer> frames;  // by image of the swapchain
};

// With a dependency, the pass waits for the stage COLOR_ATTACHMENT_OUTPUT of earlier work.
// `dependencies`: 0 or 1.
static PresentPass MakePresentPass(const Window& window, uint32_t dependencies) {
  PresentPass made;
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
  info.dependencyCount = dependencies;
  info.pDependencies = &dependency;
  OK(vkCreateRenderPass(device, &info, nullptr, &made.pass));
  for (VkImage image : window.images) {
    const VkImageViewCreateInfo view = ViewInfo(image, window.format);
    OK(vkCreateImageView(device, &view, nullptr, &made.views.emplace_back()));
    VkFramebufferCreateInfo frame = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    frame.renderPass = made.pass;
    frame.attachmentCount = 1;
    frame.pAttachments = &made.views.back();
    frame.width = frame.height = kWindowSize;
    frame.layers = 1;
    OK(vkCreateFramebuffer(device, &frame, nullptr, &made.frames.emplace_back()));
  }
  return made;
}

// The clear of the image, for vkCmdBeginRenderPass.
static VkRenderPassBeginInfo PresentPassBegin(const PresentPass& pass, uint32_t image) {
  static const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = pass.pass;
  begin.framebuffer = pass.frames[image];
  begin.renderArea.extent = {kWindowSize, kWindowSize};
  begin.clearValueCount = 1;
  begin.pClearValues = &clear;
  return begin;
}

static void Destroy(const PresentPass& pass) {
  for (size_t i = 0; i < pass.frames.size(); ++i) {
    vkDestroyFramebuffer(device, pass.frames[i], nullptr);
    vkDestroyImageView(device, pass.views[i], nullptr);
  }
  vkDestroyRenderPass(device, pass.pass, nullptr);
}

// Defect: Two frames fill the same buffer before the first is presented, and nothing orders the
// fills: the submissions wait only for the images of the swapchain.
// Fix: A barrier in each frame orders the fill after earlier ones.
// EXPECT error missing-barrier vkCmdFillBuffer at FILL
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-WRITE
// EXPECT-TEXT record a barrier between them
static void PresentFillOfEachFrame() {
  constexpr int kFrames = 2;
  const Window window = OpenWindow();
  const PresentPass pass = MakePresentPass(window, 1);
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
    const VkRenderPassBeginInfo begin = PresentPassBegin(pass, indices[i]);
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
  Destroy(pass);
  CloseWindow(window);
}

// Defect: A frame is drawn by a render pass that has no dependency on what is outside of it: its
// change of the image's layout does not wait for the semaphore of the image.
// Fix: A frame is drawn by a render pass whose change of the image's layout waits, by a dependency,
// for the stage at which the semaphore of the image is waited for.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
static void PresentPassWithoutDependency() {
  const Window window = OpenWindow();
#ifdef DEFECT
  const PresentPass pass = MakePresentPass(window, 0);
#else
  const PresentPass pass = MakePresentPass(window, 1);
#endif
  const uint32_t index = Acquire(window);
  Begin();
  const VkRenderPassBeginInfo begin = PresentPassBegin(pass, index);
  // @PASS
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  SubmitFrame(window, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
  const VkPresentInfoKHR present = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkQueueWaitIdle(queue));
  Destroy(pass);
  CloseWindow(window);
}

// Defect: The semaphore of the image is waited for at the stage that writes attachments, and the
// barrier that changes the layout of the image begins at the transfers.
// Fix: The semaphore is waited for at the stage at which the barrier begins.
// EXPECT error missing-barrier vkCmdPipelineBarrier at USE
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
static void PresentWaitedAtAnotherStage() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(window.images[index], VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, window.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  CmdMakePresentable(window.images[index]);
#ifdef DEFECT
  SubmitFrame(window, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
#else
  SubmitFrame(window, VK_PIPELINE_STAGE_TRANSFER_BIT);
#endif
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &info));
  CloseWindow(window);
}

int main() {
  PresentFillOfEachFrame();
  PresentPassWithoutDependency();
  PresentWaitedAtAnotherStage();
}
