// Waits for the dispatch before it points the descriptor at the next buffer.
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
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  const VkDescriptorBufferInfo other = {c.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(compute.set, 1, &other);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  OK(vkQueueWaitIdle(queue));
  Destroy(compute);
  Destroy(a);
  Destroy(b);
  Destroy(c);
  Close();
}
