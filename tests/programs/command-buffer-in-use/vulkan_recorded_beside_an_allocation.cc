// Defect: A thread records a command while another thread is inside of an allocation from the same
//   command pool.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error command-buffer-in-use vkCmdSetDepthBounds at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkAllocateCommandBuffers
// EXIT any
#include "common/vulkan_threads.h"

static VkCommandBuffer others;

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  vkCmdSetDepthBounds(commands, 0, 1);
}

int main() {
  OpenForThreads();
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  Begin();
  CallInside("vkAllocateCommandBuffers", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    OK(vkAllocateCommandBuffers(device, &allocate, &others));
  }
  JoinSecond();
  OK(vkEndCommandBuffer(commands));
  Close();
}
