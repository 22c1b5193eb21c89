// Defect: A presentation fails for lack of memory, which leaves image and semaphore unchanged. The
// program presents the image again, with the same semaphore.
// Fix: The presentation succeeds.
// EXPECT warning out-of-memory vkQueuePresentKHR at PRESENT
#include "common/vulkan_window.h"

int main() {
#ifdef DEFECT
  // The first one fails.
  setenv("GPUSAN_TEST_PRESENT_FAILS", "1", 1);
#endif
  const Window window = OpenWindow(true);
  const uint32_t index = Acquire(window);
  Begin();
  CmdClear(window.images[index]);
  SubmitFrame(window);
  const VkPresentInfoKHR info = PresentInfo(window, &index);
#ifdef DEFECT
  // @PRESENT
  CHECK(vkQueuePresentKHR(queue, &info) == VK_ERROR_OUT_OF_HOST_MEMORY);
#endif
  OK(vkQueuePresentKHR(queue, &info));
  OK(vkQueueWaitIdle(queue));
  CloseWindow(window);
}
