// Defect: Two threads record into command buffers of one pool at the same time.
// Fix: Both threads hold a mutex during their calls. A pool for each thread would be faster.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkCmdFillBuffer
// EXIT any
// EXPECT-TEXT command pool
#include "common/vulkan_threads.h"

static VkCommandBuffer others;
static Buffer buffers[2];

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  vkCmdFillBuffer(others, buffers[1].handle, 0, 1024, 2);
}

int main() {
  OpenForThreads();
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &others));
  for (Buffer& buffer : buffers) buffer = MakeBuffer(1024);
  Begin();
  const VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(others, &info));
  CallInside("vkCmdFillBuffer", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    vkCmdFillBuffer(commands, buffers[0].handle, 0, 1024, 1);
  }
  JoinSecond();
  OK(vkEndCommandBuffer(others));
  OK(vkEndCommandBuffer(commands));
  for (const Buffer& buffer : buffers) Destroy(buffer);
  Close();
}
