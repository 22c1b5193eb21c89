// Defect: A rendering is suspended in one submission and resumed in the next one.
// Fix: One submission has both command buffers.
// EXPECT error command-buffer-in-use vkQueueSubmit at SUSPENDS
// EXPECT-PARTY earlier-command
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pCommandBuffers-06014
// EXPECT error command-buffer-in-use vkQueueSubmit at RESUMES
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pCommandBuffers-06193
#include "common/vulkan_suspended.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer parts[2] = {commands, MakePrimary()};
  for (int i = 0; i < 2; ++i) {
    commands = parts[i];
    Begin();
    RecordPart(rendering, i == 0 ? VK_RENDERING_SUSPENDING_BIT : VK_RENDERING_RESUMING_BIT);
    OK(vkEndCommandBuffer(commands));
  }
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pCommandBuffers = parts;
#ifdef DEFECT
  info.commandBufferCount = 1;
  // @SUSPENDS
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  info.pCommandBuffers = parts + 1;
  // @RESUMES
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#else
  info.commandBufferCount = 2;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(rendering);
}
