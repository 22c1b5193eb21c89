// Waits for a dispatch before it destroys its pipeline and its descriptor pool.
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
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
  vkDestroyPipelineLayout(device, compute.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, compute.set_layout, nullptr);
  Destroy(a);
  Destroy(b);
  Close();
}
