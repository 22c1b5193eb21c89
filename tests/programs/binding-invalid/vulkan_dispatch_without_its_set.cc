// Defect: A dispatch without the descriptor set that its shader uses.
// Fix: The set is bound first.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08600
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
#ifndef DEFECT
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
#endif
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
#ifdef DEFECT
  // It does not run: the driver would read a set that is not there.
  OK(vkResetCommandBuffer(commands, 0));
#else
  Run();
#endif
  Close(compute, a, b);
}
