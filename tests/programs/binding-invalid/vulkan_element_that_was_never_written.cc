// Defect: A shader uses two elements of an array of descriptors, of which one was never written.
// Fix: Both are written. The shader does not use the other elements.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08114
// EXIT any
#include "common/vulkan_elements.h"

int main() {
  Open();
  const Buffer from = MakeBuffer(4096, kStorage), to = MakeBuffer(4096, kStorage);
  const Compute compute = MakeElements();
  SetElement(compute, 1, from.handle);
#ifdef DEFECT
  SetElement(compute, 0, to.handle);
#else
  SetElement(compute, 2, to.handle);
#endif
  Begin();
  vkCmdFillBuffer(commands, from.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(compute, from, to);
}
