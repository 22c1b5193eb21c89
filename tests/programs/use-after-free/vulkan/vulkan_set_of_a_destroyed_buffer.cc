// Defect: Destroys a buffer that a descriptor set names between the recording and the submission of
// the dispatch that writes it.
// Fix: Destroys the buffer after the work that writes it.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-PARTY recorded at DISPATCH
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  vkDestroyBuffer(device, output.handle, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
#ifndef DEFECT
  vkDestroyBuffer(device, output.handle, nullptr);
#endif
  Close(output.memory, compute, input);
}
