// Destroys a buffer that the set named before it was written again, and dispatches then.
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               other = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  vkDestroyBuffer(device, output.handle, nullptr);
  SetBuffers(compute, input.handle, other.handle);
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  vkFreeMemory(device, output.memory, nullptr);
  Destroy(compute);
  Destroy(input);
  Destroy(other);
  Close();
}
