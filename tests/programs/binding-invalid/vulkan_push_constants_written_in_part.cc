// Defect: Writes the first of two push constants that the shader reads.
// Fix: Writes both.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08601
// EXPECT-TEXT whose compute shader reads bytes 4 to 7 of the push constants
#include "common/vulkan_windows.h"

int main() {
  Open();
  const Compute windows = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  const Window window = {0, 64};
  Begin();
  Bind(windows);
#ifdef DEFECT
  vkCmdPushConstants(commands, windows.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &window);
#else
  vkCmdPushConstants(commands, windows.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &window);
#endif
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(windows, words);
}
