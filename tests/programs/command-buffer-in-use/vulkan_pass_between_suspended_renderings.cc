// Defect: Between a suspended rendering and the one that resumes it, another rendering is recorded.
// Fix: The other one comes first.
// EXPECT error command-buffer-in-use vkQueueSubmit2 at SUBMIT
// EXPECT-PARTY earlier-command
// EXPECT-FACT vuid=VUID-VkSubmitInfo2-commandBuffer-06012
// EXIT any
#include "common/vulkan_suspended.h"

int main() {
  VkPhysicalDeviceVulkan13Features features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features.dynamicRendering = features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Rendering rendering = MakeRendering(), other = MakeRendering();
  Begin();
#ifndef DEFECT
  RecordPart(other, 0);
#endif
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
#ifdef DEFECT
  RecordPart(other, 0);
#endif
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferSubmitInfo part = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  part.commandBuffer = commands;
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &part;
  // @SUBMIT
  OK(vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(rendering, other);
}
