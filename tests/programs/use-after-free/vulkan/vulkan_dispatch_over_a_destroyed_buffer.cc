// Defect: Records a dispatch whose descriptor set names a buffer that was destroyed after the
// update. The dispatch is not submitted.
// Fix: The set is updated with another buffer after the destruction, and the dispatch runs.
// EXPECT error use-after-free vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
#ifdef DEFECT
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage);
#else
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               other = MakeBuffer(4096, kStorage);
#endif
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  vkDestroyBuffer(device, output.handle, nullptr);
#ifndef DEFECT
  SetBuffers(compute, input.handle, other.handle);
#endif
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
#else
  Run();
#endif
  vkFreeMemory(device, output.memory, nullptr);
  Destroy(compute);
  Destroy(input);
#ifndef DEFECT
  Destroy(other);
#endif
  Close();
}
