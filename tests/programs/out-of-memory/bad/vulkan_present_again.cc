// Presenting fails for want of memory, which leaves image and semaphore as they were: the image is
// presented again, behind the same semaphore.
// EXPECT warning out-of-memory vkQueuePresentKHR at PRESENT
#include "common/vulkan_window.h"

int main() {
  // The first one fails.
  setenv("GPUSAN_TEST_PRESENT_FAILS", "1", 1);
  const Window window = OpenWindow(true);
  const uint32_t index = Acquire(window);
  Begin();
  CmdClear(window.images[index]);
  SubmitFrame(window);
  const VkPresentInfoKHR info = PresentInfo(window, &index);
  // @PRESENT
  CHECK(vkQueuePresentKHR(queue, &info) == VK_ERROR_OUT_OF_HOST_MEMORY);
  OK(vkQueuePresentKHR(queue, &info));
  OK(vkQueueWaitIdle(queue));
  CloseWindow(window);
}
