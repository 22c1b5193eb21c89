// Defect: A recorded dispatch has one workgroup in y more than the device allows.
// Fix: It has the largest number.
// EXPECT error flag-conflict vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-groupCountY-00387
#include "common/vulkan_compute.h"
#include "common/vulkan_sets.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const Buffer input = MakeBuffer(2048, kStorage), output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  uint32_t groups = Limits().maxComputeWorkGroupCount[1];
#ifdef DEFECT
  ++groups;
#endif
  Begin();
  Bind(compute);
  // The program does not submit it.
  // @DISPATCH
  vkCmdDispatch(commands, 1, groups, 1);
  OK(vkEndCommandBuffer(commands));
  Close(input, output, compute);
}
