// Defect: Two frames fill the same buffer before the first is presented, and nothing orders the
// fills: the submissions wait only for the images of the swapchain.
// Fix: A barrier in each frame orders the fill after earlier ones.
// EXPECT error missing-barrier vkCmdFillBuffer at FILL
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-WRITE
// EXPECT-TEXT record a barrier between them
#include "common/vulkan_present_pass.h"

constexpr int kFrames = 2;

int main() {
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
