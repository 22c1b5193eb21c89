// Defect: The device is lost when a frame is presented.
// Fix: The device is not lost.
// EXPECT error sticky-error vkQueuePresentKHR VK_ERROR_DEVICE_LOST at PRESENT
// EXPECT-PARTY pending-command at FRAME
// EXPECT-TEXT vkCmdClearColorImage
#include "common/vulkan_window.h"

int main() {
#ifdef DEFECT
  const Window window = OpenWindow(false, "vkQueuePresentKHR");
#else
  const Window window = OpenWindow();
#endif
  uint32_t index = Acquire(window);
  Begin();
  CmdClear(window.images[index]);
  OK(vkEndCommandBuffer(commands));
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkSubmitInfo info = SubmitInfo();
  info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
  info.pWaitSemaphores = &window.acquired;
  info.pWaitDstStageMask = &stage;
  info.pSignalSemaphores = &window.drawn;
  // @FRAME
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkPresentInfoKHR present = PresentInfo(window, &index);
  // @PRESENT
  const VkResult presented = vkQueuePresentKHR(queue, &present);
#ifdef DEFECT
  CHECK(presented == VK_ERROR_DEVICE_LOST);
#else
  CHECK(presented == VK_SUCCESS);
#endif
  vkDeviceWaitIdle(device);
  CloseWindow(window);
}
