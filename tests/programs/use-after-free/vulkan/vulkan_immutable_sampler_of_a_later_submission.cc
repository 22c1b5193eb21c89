// Defect: Destroys the immutable sampler of a descriptor set between the recording of a dispatch that uses the set and its
// submission.
// Fix: Destroys the sampler after the submission is complete.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-TEXT sampler
// EXPECT-PARTY recorded at DISPATCH
// EXIT any
#include "common/vulkan_look.h"

int main() {
  Open();
  const Look look = MakeLook(true);
  Begin();
  Bind(look);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  vkDestroySampler(device, look.sampler, nullptr);
#endif
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  vkDestroySampler(device, look.sampler, nullptr);
#endif
  vkDestroyImageView(device, look.view, nullptr);
  vkDestroyBufferView(device, look.texels, nullptr);
  DestroyRest(look);
  Close();
}
