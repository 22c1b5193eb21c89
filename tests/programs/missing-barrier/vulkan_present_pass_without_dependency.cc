// Defect: A frame is drawn by a render pass that has no dependency on what is outside of it: its
// change of the image's layout does not wait for the semaphore of the image.
// Fix: A frame is drawn by a render pass whose change of the image's layout waits, by a dependency,
// for the stage at which the semaphore of the image is waited for.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-READ
#include "common/vulkan_present_pass.h"

int main() {
  const Window window = OpenWindow();
#ifdef DEFECT
  const PresentPass pass = MakePresentPass(window, 0);
#else
  const PresentPass pass = MakePresentPass(window, 1);
#endif
  const uint32_t index = Acquire(window);
  Begin();
  const VkRenderPassBeginInfo begin = PresentPassBegin(pass, index);
  // @PASS
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  SubmitFrame(window, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT);
  const VkPresentInfoKHR present = PresentInfo(window, &index);
  OK(vkQueuePresentKHR(queue, &present));
  OK(vkQueueWaitIdle(queue));
  Destroy(pass);
  CloseWindow(window);
}
