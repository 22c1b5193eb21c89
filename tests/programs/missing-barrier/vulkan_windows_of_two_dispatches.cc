// Defect: Two dispatches change windows of a buffer that overlap, and nothing orders them. Push
// constants choose the windows.
// Fix: The second window begins behind the first.
// EXPECT error missing-barrier vkCmdDispatch at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT byte_range=400 to 911
// EXPECT-COUNT 2
#include "common/vulkan_windows.h"

int main() {
  Open();
  const Compute windows = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  uint32_t second = 128;
#ifdef DEFECT
  second = 100;
#endif
  Begin();
  Bind(windows);
  Push(windows, {0, 128});
  // @FIRST
  vkCmdDispatch(commands, 2, 1, 1);
  Push(windows, {second, 128});
  // @SECOND
  vkCmdDispatch(commands, 2, 1, 1);
  Run();
  Close(words, windows);
}
