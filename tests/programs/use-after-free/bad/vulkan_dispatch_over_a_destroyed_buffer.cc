// Records a dispatch whose descriptor set names a buffer that was destroyed behind the update. It never
// runs.
// EXPECT error use-after-free vkCmdDispatch at DISPATCH
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  vkDestroyBuffer(device, output.handle, nullptr);
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkEndCommandBuffer(commands));
  vkFreeMemory(device, output.memory, nullptr);
  Destroy(compute);
  Destroy(input);
  Close();
}
