// Defect: The parameters of a dispatch begin 8 bytes before the end of their buffer.
// Fix: All 12 bytes of them are in the buffer.
// EXPECT error copy-out-of-bounds vkCmdDispatchIndirect at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatchIndirect-offset-00407
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer parameters = MakeBuffer(4096, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const Buffer a = MakeBuffer(4096, kStorage), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  Bind(compute);
#ifdef DEFECT
  const VkDeviceSize offset = 4096 - 8;
#else
  const VkDeviceSize offset = 4096 - 12;
#endif
  // @DISPATCH
  vkCmdDispatchIndirect(commands, parameters.handle, offset);
  OK(vkEndCommandBuffer(commands));
  Close(compute, a, b, parameters);
}
