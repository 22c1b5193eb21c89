// Defect pool: Two threads record into command buffers of one pool at the same time.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkCmdFillBuffer
// EXPECT-TEXT command pool
// Defect beside_an_allocation: A thread records a command while another thread is inside of an
// allocation from the same command pool.
// EXPECT error command-buffer-in-use vkCmdSetDepthBounds at SECOND_2
// EXPECT-PARTY other-thread at FIRST_2
// EXPECT-FACT other_call=vkAllocateCommandBuffers
// Defect one_command_buffer: Two threads record into one command buffer at the same time.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at SECOND_3
// EXPECT-PARTY other-thread at FIRST_3
// EXPECT-FACT other_call=vkCmdFillBuffer
// EXPECT-TEXT command buffer 0x
// Fix: Both threads hold a mutex during their calls.
// EXIT any
#include "common/vulkan_threads.h"

// Fix: Both threads hold a mutex during their calls. A pool for each thread would be faster.
static VkCommandBuffer others;
static Buffer buffers[2];

static void FillSecond() {
#ifndef DEFECT_pool
  const Lock lock;
#endif
  // @SECOND
  vkCmdFillBuffer(others, buffers[1].handle, 0, 1024, 2);
}

static void Pool() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &others));
  for (Buffer& buffer : buffers) buffer = MakeBuffer(1024);
  Begin();
  const VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(others, &info));
  CallInside("vkCmdFillBuffer", [] { RunBeside(FillSecond); });
  {
#ifndef DEFECT_pool
    const Lock lock;
#endif
    // @FIRST
    vkCmdFillBuffer(commands, buffers[0].handle, 0, 1024, 1);
  }
  JoinSecond();
  OK(vkEndCommandBuffer(others));
  OK(vkEndCommandBuffer(commands));
  for (const Buffer& buffer : buffers) Destroy(buffer);
}

// Fix: Both threads hold a mutex during their calls.
static VkCommandBuffer others_2;

static void BesideAnSecond() {
#ifndef DEFECT_beside_an_allocation
  const Lock lock;
#endif
  // @SECOND_2
  vkCmdSetDepthBounds(commands, 0, 1);
}

static void BesideAnAllocation() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  Begin();
  CallInside("vkAllocateCommandBuffers", [] { RunBeside(BesideAnSecond); });
  {
#ifndef DEFECT_beside_an_allocation
    const Lock lock;
#endif
    // @FIRST_2
    OK(vkAllocateCommandBuffers(device, &allocate, &others_2));
  }
  JoinSecond();
  OK(vkEndCommandBuffer(commands));
}

// Fix: Both threads hold a mutex during their calls.
static Buffer buffers_3[2];

static void OneCommandSecond() {
#ifndef DEFECT_one_command_buffer
  const Lock lock;
#endif
  // @SECOND_3
  vkCmdFillBuffer(commands, buffers_3[1].handle, 0, 1024, 2);
}

static void OneCommandBuffer() {
  for (Buffer& buffer : buffers_3) buffer = MakeBuffer(1024);
  Begin();
  CallInside("vkCmdFillBuffer", [] { RunBeside(OneCommandSecond); });
  {
#ifndef DEFECT_one_command_buffer
    const Lock lock;
#endif
    // @FIRST_3
    vkCmdFillBuffer(commands, buffers_3[0].handle, 0, 1024, 1);
  }
  JoinSecond();
  Run();
  for (const Buffer& buffer : buffers_3) Destroy(buffer);
}

int main() {
  OpenForThreads();
  Pool();
  BesideAnAllocation();
  OneCommandBuffer();
  Close();
}
