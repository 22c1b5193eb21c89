// Six frames of a swapchain: acquired, made writable, cleared, made presentable and presented, one behind
// the other by semaphores. The device is waited for only before the command buffer is recorded anew.
#include "common/vulkan_window.h"

int main() {
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
