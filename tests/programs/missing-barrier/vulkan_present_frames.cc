// Defect: Frames of a swapchain use images and buffers without a dependency on the frame before, or
// on the presentation engine.
// Fix: A dependency orders the frame.
#include "common/vulkan_present_pass.h"
#include "common/vulkan_window.h"

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
