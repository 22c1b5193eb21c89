// Defect: A dispatch writes those words of the first half of a buffer that its input selects, and a
// fill writes the same half, without a barrier. The input may select none.
// Fix: The fill writes the second half.
// EXPECT warning missing-barrier vkCmdFillBuffer at FILL
// EXPECT-PARTY earlier-access at DISPATCH
#include "common/vulkan_compute.h"
#include "shaders/some.comp.h"

int main() {
  Open();
  const Compute compute = MakeCompute(some_comp, sizeof(some_comp));
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 1);
  Run();
  VkDeviceSize offset = 2048;
#ifdef DEFECT
  offset = 0;
#endif
  Begin();
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 8, 1, 1);
  // @FILL
  vkCmdFillBuffer(commands, output.handle, offset, 2048, 7);
  Run();
  Close(input, output, compute);
}
