// Defect: Destroys a buffer between the recording and the submission of the copy that reads it.
// Fix: Destroys a buffer after the copy that reads it.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT-PARTY recorded at COPY
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#ifndef DEFECT
  vkDestroyBuffer(device, source.handle, nullptr);
#endif
  Close(source.memory, target);
}
