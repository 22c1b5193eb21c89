// What orders the use of a swapchain's images and their presentation.
#include "common/vulkan_window.h"

// Six frames of a swapchain: acquired, made writable, cleared, made presentable and presented, one behind
// the other by semaphores. The device is waited for only before the command buffer is recorded anew.
static void PresentFrames() {
  const Window window = OpenWindow();
  for (int frame = 0; frame < 6; ++frame) {
    const uint32_t index = Acquire(window);
    Begin();
    CmdMakeWritable(window.images[index]);
    const VkClearColorValue black = {};
    vkCmdClearColorImage(commands, window.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         &black, 1, &kWhole);
    CmdMakePresentable(window.images[index]);
    SubmitFrame(window);
    const VkPresentInfoKHR info = PresentInfo(window, &index);
    OK(vkQueuePresentKHR(queue, &info));
    OK(vkQueueWaitIdle(queue));
  }
  CloseWindow(window);
}

// Each image of a swapchain has a command buffer of its own. The fence of an acquisition shows that the last
// presentation of the image is complete, and with it the frame that it waited for: the command buffer is recorded again
// without another wait.
static void FenceOfTheAcquisition() {
  const Window window = OpenWindow();
  const size_t count = window.images.size();
  std::vector<VkCommandBuffer> buffers(count);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = static_cast<uint32_t>(count);
  OK(vkAllocateCommandBuffers(device, &allocate, buffers.data()));
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  std::vector<VkSemaphore> drawn(count);
  for (VkSemaphore& one : drawn) OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &one));
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence acquired;
  OK(vkCreateFence(device, &fence_info, nullptr, &acquired));
  for (int frame = 0; frame < 12; ++frame) {
    uint32_t index;
    OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, acquired, &index));
    OK(vkWaitForFences(device, 1, &acquired, VK_TRUE, ~0ull));
    OK(vkResetFences(device, 1, &acquired));
    commands = buffers[index];
    Begin();
    CmdClear(window.images[index]);
    OK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = SubmitInfo();
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &drawn[index];
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    VkPresentInfoKHR present = PresentInfo(window, &index);
    present.pWaitSemaphores = &drawn[index];
    OK(vkQueuePresentKHR(queue, &present));
  }
  vkDeviceWaitIdle(device);
  vkDestroyFence(device, acquired, nullptr);
  for (VkSemaphore one : drawn) vkDestroySemaphore(device, one, nullptr);
  CloseWindow(window);
}

// What orders the use of a swapchain's images and their presentation, frame by frame in another way.
static void SubmitAlone(const Window& window, VkPipelineStageFlags stage) {
  VkSubmitInfo info = SubmitInfo();
  info.commandBufferCount = 0;
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &window.acquired;
  info.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

static void SubmitBehindAll(const Window& window, VkFence fence) {
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &window.drawn;
  OK(vkQueueSubmit(queue, 1, &info, fence));
}

static void Present(const Window& window, uint32_t index) {
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &info));
  OK(vkQueueWaitIdle(queue));
}

static void PresentWaits() {
  const Window window = OpenWindow();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));

  // The host waits for the fence of the acquisition.
  uint32_t index;
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, fence, &index));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
  OK(vkResetFences(device, 1, &fence));
  Begin();
  CmdClear(window.images[index]);
  SubmitBehindAll(window, VK_NULL_HANDLE);
  Present(window, index);

  // ... or asks for it.
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, fence, &index));
  while (vkGetFenceStatus(device, fence) != VK_SUCCESS) {
  }
  OK(vkResetFences(device, 1, &fence));
  Begin();
  CmdClear(window.images[index]);
  SubmitBehindAll(window, VK_NULL_HANDLE);
  Present(window, index);

  // A submission of its own waits for the semaphore.
  index = Acquire(window);
  SubmitAlone(window, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  Begin();
  CmdClear(window.images[index]);
  SubmitBehindAll(window, VK_NULL_HANDLE);
  Present(window, index);

  // ... at the top of the pipeline, which holds all back.
  index = Acquire(window);
  Begin();
  CmdClear(window.images[index]);
  SubmitFrame(window, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  Present(window, index);

  // ... at a stage from which a barrier leads on to the one that is used.
  index = Acquire(window);
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  CmdClear(window.images[index]);
  SubmitFrame(window, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
  Present(window, index);

  // The host waits for a submission that has waited.
  index = Acquire(window);
  SubmitAlone(window, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
  OK(vkQueueWaitIdle(queue));
  Begin();
  CmdClear(window.images[index]);
  SubmitBehindAll(window, VK_NULL_HANDLE);
  Present(window, index);

  // The host waits for the frame, and the presentation for nothing.
  index = Acquire(window);
  Begin();
  CmdClear(window.images[index]);
  OK(vkEndCommandBuffer(commands));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo submit = SubmitInfo();
  submit.waitSemaphoreCount = 1;
  submit.pWaitSemaphores = &window.acquired;
  submit.pWaitDstStageMask = &stage;
  OK(vkQueueSubmit(queue, 1, &submit, fence));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
  VkPresentInfoKHR info = PresentInfo(window, &index);
  info.waitSemaphoreCount = 0;
  OK(vkQueuePresentKHR(queue, &info));

  // The frame waits for the semaphore of an acquisition, and the host for its fence at the very end.
  VkFence unused;
  OK(vkCreateFence(device, &fence_info, nullptr, &unused));
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, unused, &index));
  Begin();
  CmdClear(window.images[index]);
  SubmitFrame(window);
  Present(window, index);
  OK(vkWaitForFences(device, 1, &unused, VK_TRUE, ~0ull));
  vkDestroyFence(device, unused, nullptr);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}

int main() {
  PresentFrames();
  FenceOfTheAcquisition();
  PresentWaits();
}
