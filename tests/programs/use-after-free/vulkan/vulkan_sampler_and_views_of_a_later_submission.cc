// Defect: Destroys what a dispatch reads through between its recording and its submission: the sampler and the view of
// an image, and the view of a buffer.
// Fix: Destroys them after the submission is complete.
// EXPECT error use-after-free vkQueueSubmit2 at SUBMIT
// EXPECT-TEXT sampler
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit2-commandBuffer-03874
// EXPECT error use-after-free vkQueueSubmit2 at SUBMIT
// EXPECT-TEXT image view
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit2-commandBuffer-03874
// EXPECT error use-after-free vkQueueSubmit2 at SUBMIT
// EXPECT-TEXT buffer view
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit2-commandBuffer-03874
// EXIT any
#include "common/vulkan_look.h"

int main() {
  VkPhysicalDeviceSynchronization2Features features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Wanted wanted;
  wanted.features = &features;
  Open(wanted);
  const Look look = MakeLook();
  Begin();
  Bind(look);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
#endif
  VkCommandBufferSubmitInfo buffer = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = commands;
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &buffer;
  // @SUBMIT
  vkQueueSubmit2(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  vkDestroySampler(device, look.sampler, nullptr);
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
#endif
  DestroyRest(look);
  Close();
}
