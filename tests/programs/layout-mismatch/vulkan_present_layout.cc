// Defect: An image is presented in the layout in which it was cleared.
// Fix: An image is presented in the layout for that.
// EXPECT error layout-mismatch vkQueuePresentKHR at PRESENT
// EXPECT-FACT vuid=VUID-VkPresentInfoKHR-pImageIndices-01430
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const uint32_t index = Acquire(window);
  Begin();
  CmdMakeWritable(window.images[index]);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, window.images[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
#ifndef DEFECT
  CmdMakePresentable(window.images[index]);
#endif
  SubmitFrame(window);
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  // @PRESENT
  OK(vkQueuePresentKHR(queue, &info));
  CloseWindow(window);
}
