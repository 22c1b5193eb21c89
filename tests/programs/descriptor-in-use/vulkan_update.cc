// Defect for_the_next_frame: Points a descriptor at the next buffer while the dispatch that uses
// the set may still run.
// EXPECT error descriptor-in-use vkUpdateDescriptorSets at UPDATE
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkUpdateDescriptorSets-None-03047
// EXIT any
// Defect after_the_recording: Points a descriptor at another buffer after the command buffer that
// uses the set was recorded, and submits it.
// EXPECT error descriptor-in-use vkQueueSubmit at SUBMIT_2
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT binding=1
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
// Fix: The descriptor is written when no submission uses it.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

// Fix: Waits for the dispatch before it points the descriptor at the next buffer.
static void ForTheNextFrame() {
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
#ifndef DEFECT_for_the_next_frame
  OK(vkQueueWaitIdle(queue));
#endif
  const VkDescriptorBufferInfo other = {c.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &other);
  // @UPDATE
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  OK(vkQueueWaitIdle(queue));
  Destroy(compute, a, b, c);
}

// Fix: Points the descriptor at the other buffer before the recording.
static void AfterTheRecording() {
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               c = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkDescriptorBufferInfo other = {c.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &other);
#ifndef DEFECT_after_the_recording
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
#ifdef DEFECT_after_the_recording
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT_2
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
  Destroy(compute, a, b, c);
}

int main() {
  Open();
  ForTheNextFrame();
  AfterTheRecording();
  Close();
}
