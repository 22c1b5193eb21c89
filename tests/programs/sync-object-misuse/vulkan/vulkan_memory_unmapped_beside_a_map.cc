// Defect: A thread maps memory while another thread is inside of the call that unmaps it.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse vkMapMemory at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkUnmapMemory
// EXIT any
#include "common/vulkan_threads.h"

static Buffer buffer;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  void* data;
  // @SECOND
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
}

int main() {
  OpenForThreads();
  buffer = MakeBuffer(1024, kCopies, kHostMemory);
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
  CallInside("vkUnmapMemory", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    vkUnmapMemory(device, buffer.memory);
  }
  JoinSecond();
  Close(buffer);
}
