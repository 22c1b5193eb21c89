// Defect: Destroys a pipeline, and a descriptor pool with its set, between the recording of the dispatch that uses them
// and its submission.
// Fix: Destroys them after the submission is complete.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-TEXT pipeline
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-PARTY release at END
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-TEXT descriptor set
// EXPECT-PARTY recorded at DISPATCH
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  // @END
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
#endif
  Close(compute.layout, compute.set_layout, input, output);
}
