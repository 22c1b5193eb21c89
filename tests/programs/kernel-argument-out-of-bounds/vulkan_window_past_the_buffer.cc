// Defect: The push constants of a dispatch name more words than the buffer has behind the first.
// Fix: The number ends at the end of the buffer.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatch at PAST
// EXPECT-FACT binding=0
// EXPECT-FACT outside_bytes=400
// EXPECT-FACT vuid=VUID-vkCmdDispatch-storageBuffers-06936
#include "common/vulkan_windows.h"

int main() {
  Open();
  const Compute windows = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  Begin();
  Bind(windows);
#ifdef DEFECT
  Push(windows, {824, 300});
#else
  Push(windows, {824, 200});
#endif
  // More invocations than words: those behind the number do nothing.
  // @PAST
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  Close(words, windows);
}
