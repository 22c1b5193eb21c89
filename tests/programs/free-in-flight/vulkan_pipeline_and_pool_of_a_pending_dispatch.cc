// Defect: Destroys the pipeline and the descriptor pool of a dispatch that may still run.
// Fix: Waits for a dispatch before it destroys its pipeline and its descriptor pool.
// EXPECT error free-in-flight vkDestroyPipeline at PIPELINE
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyPipeline-pipeline-00765
// EXPECT error free-in-flight vkDestroyDescriptorPool at POOL
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyDescriptorPool-descriptorPool-00303
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
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
  // @PIPELINE
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  // @POOL
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
#ifdef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  Close(compute.layout, compute.set_layout, a, b);
}
