// Defect: An image is presented without a wait for the commands that clear it.
// Fix: An image is presented after the commands that clear it, by a semaphore.
// EXPECT error race vkQueuePresentKHR at PRESENT
// EXPECT-FACT hazard=RAW
#include "common/vulkan_window.h"

int main() {
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
