// Defect: Points a descriptor at the next buffer while the dispatch that uses the set may still
// run.
// Fix: Waits for the dispatch before it points the descriptor at the next buffer.
// EXPECT error descriptor-in-use vkUpdateDescriptorSets at UPDATE
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkUpdateDescriptorSets-None-03047
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               c = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 16, 1, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  const VkDescriptorBufferInfo other = {c.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &other);
  // @UPDATE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  OK(vkQueueWaitIdle(queue));
  Close(compute, a, b, c);
}
