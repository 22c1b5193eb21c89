// Defect: Destroys what a dispatch reads through before the submission is known to be complete: the
// sampler and the view of an image, and the view of a buffer.
// Fix: Waits first.
// EXPECT error free-in-flight vkDestroySampler at SAMPLER
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroySampler-sampler-01082
// EXPECT error free-in-flight vkDestroyImageView at VIEW
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyImageView-imageView-01026
// EXPECT error free-in-flight vkDestroyBufferView at TEXELS
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyBufferView-bufferView-00936
// EXIT any
#include "common/vulkan_look.h"

int main() {
  Open();
  const Look look = MakeLook();
  Begin();
  Bind(look);
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @SAMPLER
  vkDestroySampler(device, look.sampler, nullptr);
  // @VIEW
  vkDestroyImageView(device, look.view, nullptr);
  // @TEXELS
  vkDestroyBufferView(device, look.texels, nullptr);
#ifdef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  DestroyRest(look);
  Close();
}
