// Defect: Fences, semaphores and images of a swapchain are used while a frame before uses them.
// Fix: Each frame in flight has objects of its own, and uses the image that it acquired.
#include "common/vulkan_window.h"

// Defect: The fence of an acquisition is waited for, and given to the next acquisition without a reset.
// Fix: It is reset. The last acquisition has a fence that a submission has signaled before.
// EXPECT error sync-object-misuse vkAcquireNextImageKHR at ACQUIRE
// EXPECT-FACT vuid=VUID-vkAcquireNextImageKHR-fence-01287
static void Frame(const Window& window, VkFence acquired, uint32_t index) {
  OK(vkWaitForFences(device, 1, &acquired, VK_TRUE, ~0ull));
  Begin();
  CmdClear(window.images[index]);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &window.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkPresentInfoKHR present = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkQueueWaitIdle(queue));
}

static void PresentAcquireFenceNotReset() {
  const Window window = OpenWindow();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  uint32_t index;
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, fence, &index));
  Frame(window, fence, index);
#ifndef DEFECT
  OK(vkResetFences(device, 1, &fence));
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
  OK(vkResetFences(device, 1, &fence));
#endif
  // @ACQUIRE
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, fence, &index));
  Frame(window, fence, index);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}

// Defect: The second frame acquires its image with the semaphore of the first frame, while the submission of the first frame, which
// waits for that semaphore, may be pending.
// Fix: The program waits for the fence of the first frame before the acquisition.
// EXPECT error sync-object-misuse vkAcquireNextImageKHR at ACQUIRE_2
// EXPECT-PARTY earlier-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkAcquireNextImageKHR-semaphore-01779
static void PresentAcquireSemaphoreInUse() {
  const Window window = OpenWindow();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore drawn[2] = {window.drawn};
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &drawn[1]));
  for (int frame = 0; frame < 2; ++frame) {
#ifndef DEFECT
    if (frame == 1) OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
    uint32_t index;
    // @ACQUIRE_2
    OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE, &index));
    if (frame == 1) {
      OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
      OK(vkResetFences(device, 1, &fence));
    }
    Begin();
    CmdClear(window.images[index]);
    OK(vkEndCommandBuffer(commands));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo info = SubmitInfo();
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = &window.acquired;
    info.pWaitDstStageMask = &stage;
    info.pSignalSemaphores = &drawn[frame];
    // @SUBMIT
    OK(vkQueueSubmit(queue, 1, &info, fence));
    VkPresentInfoKHR present = PresentInfo(window, &index);
    present.pWaitSemaphores = &drawn[frame];
    OK(vkQueuePresentKHR(queue, &present));
  }
  OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, drawn[1], nullptr);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}

// Defect: Signals the semaphore of the first frame again for the second frame, which has another
// image. The presentation engine may not have waited for it yet: the fence of the first frame does
// not show that.
// Fix: Each image has a semaphore of its own.
// EXPECT warning sync-object-misuse vkQueueSubmit at SIGNAL
// EXPECT-PARTY presentation at PRESENT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSignalSemaphores-00067
static void PresentSemaphoreOfAnotherImage() {
  const Window window = OpenWindow();
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore acquired[2] = {window.acquired}, drawn[2] = {window.drawn};
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &acquired[1]));
  OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &drawn[1]));
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  // The swapchain has one image more than the least number: the program may hold two.
  uint32_t images[2];
  for (int i = 0; i < 2; ++i)
    OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, acquired[i], VK_NULL_HANDLE,
                             &images[i]));
  for (int i = 0; i < 2; ++i) {
    VkSemaphore signaled = drawn[i];
#ifdef DEFECT
    signaled = drawn[0];
#endif
    Begin();
    CmdClear(window.images[images[i]]);
    OK(vkEndCommandBuffer(commands));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo info = SubmitInfo();
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = &acquired[i];
    info.pWaitDstStageMask = &stage;
    info.pSignalSemaphores = &signaled;
    // @SIGNAL
    OK(vkQueueSubmit(queue, 1, &info, fence));
    VkPresentInfoKHR present = PresentInfo(window, &images[i]);
    present.pWaitSemaphores = &signaled;
    // @PRESENT
    OK(vkQueuePresentKHR(queue, &present));
    OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
    OK(vkResetFences(device, 1, &fence));
  }
  OK(vkQueueWaitIdle(queue));
  vkDestroySemaphore(device, acquired[1], nullptr);
  vkDestroySemaphore(device, drawn[1], nullptr);
  vkDestroyFence(device, fence, nullptr);
  CloseWindow(window);
}

// Defect: A frame clears another image of the swapchain than the one that it has acquired.
// Fix: A frame clears the image of the swapchain that it has acquired.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at USE
// EXPECT error sync-object-misuse vkCmdClearColorImage at CLEAR
static void PresentableImage() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
#ifdef DEFECT
  const uint32_t drawn = (index + 1) % static_cast<uint32_t>(window.images.size());
#else
  const uint32_t drawn = index;
#endif
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(window.images[drawn], VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  // @CLEAR
  vkCmdClearColorImage(commands, window.images[drawn], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  SubmitFrame(window);
  OK(vkQueueWaitIdle(queue));
  CloseWindow(window);
}

int main() {
  PresentAcquireFenceNotReset();
  PresentAcquireSemaphoreInUse();
  PresentSemaphoreOfAnotherImage();
  PresentableImage();
}
