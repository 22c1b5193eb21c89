// Defect: Two threads record into one command buffer at the same time.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkCmdFillBuffer
// EXIT any
// EXPECT-TEXT command buffer 0x
#include "common/vulkan_threads.h"

static Buffer buffers[2];

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  vkCmdFillBuffer(commands, buffers[1].handle, 0, 1024, 2);
}

int main() {
  OpenForThreads();
  for (Buffer& buffer : buffers) buffer = MakeBuffer(1024);
  Begin();
  CallInside("vkCmdFillBuffer", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    vkCmdFillBuffer(commands, buffers[0].handle, 0, 1024, 1);
  }
  JoinSecond();
  Run();
  for (const Buffer& buffer : buffers) Destroy(buffer);
  Close();
}
