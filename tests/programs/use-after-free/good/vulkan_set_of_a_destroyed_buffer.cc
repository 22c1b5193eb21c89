// Destroys the buffer behind the work that writes it.
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroyBuffer(device, output.handle, nullptr);
  vkFreeMemory(device, output.memory, nullptr);
  Destroy(compute);
  Destroy(input);
  Close();
}
