// Defect: Images of a swapchain are drawn or presented while the presentation engine or the device
// may still use them.
// Fix: The submission or the presentation waits for the semaphore of its image.
#include "common/vulkan_window.h"

// Defect: An image is presented without a wait for the commands that clear it.
// Fix: An image is presented after the commands that clear it, by a semaphore.
// EXPECT error race vkQueuePresentKHR at PRESENT
// EXPECT-FACT hazard=RAW
static void PresentOfAPendingImage() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
  Begin();
  CmdMakeWritable(window.images[index]);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, window.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  CmdMakePresentable(window.images[index]);
  SubmitFrame(window);
  VkPresentInfoKHR info = PresentInfo(window, &index);
#ifdef DEFECT
  info.waitSemaphoreCount = 0;
#endif
  // @PRESENT
  OK(vkQueuePresentKHR(queue, &info));
  CloseWindow(window);
}

// Defect: Two windows are drawn in one submission, which waits for the image of the second one
// alone: the presentation engine may still read that of the first.
// Fix: The submission waits for the images of both windows.
// EXPECT error race vkCmdPipelineBarrier at USE
// EXPECT-PARTY pending-command at ACQUIRE
// EXPECT-FACT hazard=WAR
static void PresentTwoWindows() {
  const Window first = OpenWindow();
  const Window second = AddWindow(first.server, first.connection);
  uint32_t indices[2];
  // @ACQUIRE
  OK(vkAcquireNextImageKHR(device, first.swapchain, ~0ull, first.acquired, VK_NULL_HANDLE,
                           &indices[0]));
  indices[1] = Acquire(second);
  const VkImage image = first.images[indices[0]];
  Begin();
  CmdClear(second.images[indices[1]]);
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &kWhole);
  CmdMakePresentable(image);
  OK(vkEndCommandBuffer(commands));
  const VkSemaphore acquired[] = {second.acquired, first.acquired};
  const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT};
  VkSubmitInfo info = SubmitInfo();
#ifdef DEFECT
  info.waitSemaphoreCount = 1;  // both are needed
#else
  info.waitSemaphoreCount = 2;
#endif
  info.pWaitSemaphores = acquired;
  info.pWaitDstStageMask = stages;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &first.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkSwapchainKHR swapchains[] = {first.swapchain, second.swapchain};
  VkPresentInfoKHR present = PresentInfo(first, indices);
  present.swapchainCount = 2;
  present.pSwapchains = swapchains;
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkDeviceWaitIdle(device));
  RemoveWindow(second);
  CloseWindow(first);
}

// Defect: The frame is submitted before the wait for the semaphore of its image, which the
// presentation engine may still read.
// Fix: The wait is submitted before the frame.
// EXPECT error race vkCmdPipelineBarrier at USE_2
// EXPECT-PARTY pending-command at ACQUIRE_2
// EXPECT-FACT hazard=WAR
static void PresentWaitBehindTheFrame() {
  const Window window = OpenWindow();
  uint32_t index;
  // @ACQUIRE_2
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE,
                           &index));
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(window.images[index], VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE_2
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, window.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  CmdMakePresentable(window.images[index]);
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo wait = SubmitInfo();
  wait.commandBufferCount = 0;
  wait.waitSemaphoreCount = 1;
  wait.pWaitSemaphores = &window.acquired;
  wait.pWaitDstStageMask = &stage;
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo frame = SubmitInfo();
  frame.signalSemaphoreCount = 1;
  frame.pSignalSemaphores = &window.drawn;
#ifdef DEFECT
  OK(vkQueueSubmit(queue, 1, &frame, VK_NULL_HANDLE));
  OK(vkQueueSubmit(queue, 1, &wait, VK_NULL_HANDLE));
#else
  OK(vkQueueSubmit(queue, 1, &wait, VK_NULL_HANDLE));
  OK(vkQueueSubmit(queue, 1, &frame, VK_NULL_HANDLE));
#endif
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &info));
  CloseWindow(window);
}

// Defect: Two images of a swapchain are drawn in one submission, which waits for the second one
// alone: that it may be drawn says nothing of the first one.
// Fix: The submission waits for both images.
// EXPECT error race vkCmdPipelineBarrier at USE_3
// EXPECT-PARTY pending-command at ACQUIRE_3
// EXPECT-FACT hazard=WAR
static void PresentWaitsForALaterImage() {
  const Window window = OpenWindow();
  const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore second;
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &second));
  uint32_t indices[2];
  // @ACQUIRE_3
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE,
                           &indices[0]));
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, second, VK_NULL_HANDLE, &indices[1]));
  const VkImage image = window.images[indices[0]];
  Begin();
  CmdClear(window.images[indices[1]]);
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  // @USE_3
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &kWhole);
  CmdMakePresentable(image);
  OK(vkEndCommandBuffer(commands));
  const VkSemaphore acquired[] = {second, window.acquired};
  const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT};
  VkSubmitInfo info = SubmitInfo();
#ifdef DEFECT
  info.waitSemaphoreCount = 1;  // both are needed
#else
  info.waitSemaphoreCount = 2;
#endif
  info.pWaitSemaphores = acquired;
  info.pWaitDstStageMask = stages;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &window.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  VkPresentInfoKHR present = PresentInfo(window, &indices[0]);
  OK(vkQueuePresentKHR(queue, &present));
  present = PresentInfo(window, &indices[1]);
  present.waitSemaphoreCount = 0;  // the queue's work is done
  OK(vkDeviceWaitIdle(device));
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkDeviceWaitIdle(device));
  vkDestroySemaphore(device, second, nullptr);
  CloseWindow(window);
}

int main() {
  PresentOfAPendingImage();
  PresentTwoWindows();
  PresentWaitBehindTheFrame();
  PresentWaitsForALaterImage();
}
