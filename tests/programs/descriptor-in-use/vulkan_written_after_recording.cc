// Defect: Points a descriptor at another buffer after the command buffer that uses the set was recorded, and submits it.
// Fix: Points the descriptor at the other buffer before the recording.
// EXPECT error descriptor-in-use vkQueueSubmit at SUBMIT
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT binding=1
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               c = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkDescriptorBufferInfo other = {c.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &other);
#ifndef DEFECT
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#endif
  Begin();
  vkCmdFillBuffer(commands, a.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
  Close(compute, a, b, c);
}
