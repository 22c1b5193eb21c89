// The image is presented at once.
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow(true);
  const uint32_t index = Acquire(window);
  Begin();
  CmdClear(window.images[index]);
  SubmitFrame(window);
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &info));
  OK(vkQueueWaitIdle(queue));
  CloseWindow(window);
}
