// A frame is presented.
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
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
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkPresentInfoKHR present = PresentInfo(window, &index);
  const VkResult presented = vkQueuePresentKHR(queue, &present);
  CHECK(presented == VK_SUCCESS);
  vkDeviceWaitIdle(device);
  CloseWindow(window);
}
