// Command buffers are used again in every way, several times at once, and by other command buffers.
#include "common/vulkan.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"

// Command buffers that are used again in all the ways there are: reset with their pool while
// another pool's are pending, freed and made anew, begun without a reset, and left in the middle of
// recording.
struct Frame {
  VkCommandPool pool;
  VkCommandBuffer commands;
  VkFence done;
};

static Frame MakeFrame() {
  Frame frame;
  VkCommandPoolCreateInfo info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.queueFamilyIndex = family;
  OK(vkCreateCommandPool(device, &info, nullptr, &frame.pool));
  const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr,
                                   VK_FENCE_CREATE_SIGNALED_BIT};
  OK(vkCreateFence(device, &fence, nullptr, &frame.done));
  frame.commands = VK_NULL_HANDLE;
  return frame;
}

static void Allocate(Frame* frame) {
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = frame->pool;
  info.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &info, &frame->commands));
}

static void CommandBuffersAgain() {
  const Compute compute = MakeCompute();
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  const VkCommandBuffer own = commands;
  Frame frames[3] = {MakeFrame(), MakeFrame(), MakeFrame()};
  for (int i = 0; i < 12; ++i) {
    Frame& frame = frames[i % 3];
    OK(vkWaitForFences(device, 1, &frame.done, VK_TRUE, ~0ull));
    OK(vkResetFences(device, 1, &frame.done));
    if (i % 4 == 3 || frame.commands == VK_NULL_HANDLE) {
      if (frame.commands != VK_NULL_HANDLE)
        vkFreeCommandBuffers(device, frame.pool, 1, &frame.commands);
      Allocate(&frame);
    } else {
      OK(vkResetCommandPool(device, frame.pool, 0));
    }
    commands = frame.commands;
    Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    Bind(compute);
    for (int j = 0; j < 300; ++j) {
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                           nullptr);
      vkCmdDispatch(commands, 1, 1, 1);
    }
    OK(vkEndCommandBuffer(commands));
    const VkSubmitInfo submit = SubmitInfo();
    OK(vkQueueSubmit(queue, 1, &submit, frame.done));
  }
  OK(vkQueueWaitIdle(queue));
  // Recording that leads to nothing.
  commands = own;
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 1, 1, 1);
  OK(vkResetCommandBuffer(commands, 0));
  Begin();
  Bind(compute);
  Run();
  for (const Frame& frame : frames) {
    vkDestroyFence(device, frame.done, nullptr);
    vkDestroyCommandPool(device, frame.pool, nullptr);
  }
  Destroy(input, output, compute);
}

// Two secondary command buffers, one executed twice, with the barriers between them in the primary
// one and in the second of them.
static void SecondaryBuffers() {
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  allocate.commandBufferCount = 2;
  VkCommandBuffer secondary[2];
  OK(vkAllocateCommandBuffers(device, &allocate, secondary));
  const VkBufferCopy all = {0, 0, 4096};
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary[0], &begin));
  vkCmdCopyBuffer(secondary[0], a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(secondary[0]));
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  OK(vkBeginCommandBuffer(secondary[1], &begin));
  vkCmdPipelineBarrier(secondary[1], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(secondary[1], b.handle, c.handle, 1, &all);
  OK(vkEndCommandBuffer(secondary[1]));
  Begin();
  vkCmdExecuteCommands(commands, 2, secondary);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdExecuteCommands(commands, 1, &secondary[0]);
  Run();
  Destroy(a, b, c);
}

// A command buffer that was begun for simultaneous use is submitted several times without a wait.
// It orders itself behind the submission before it.
static void SimultaneousUse() {
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  for (int i = 0; i < 5; ++i) OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(a, b);
}

// A command buffer is recorded once and submitted again and again, each time when the last is
// complete; it writes what it wrote before.
static void Resubmission() {
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  const VkSubmitInfo info = SubmitInfo();
  for (int i = 0; i < 10; ++i) {
    OK(vkQueueSubmit(queue, 1, &info, fence));
    OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    OK(vkResetFences(device, 1, &fence));
  }
  Destroy(fence, a, b);
}

int main() {
  Open();
  CommandBuffersAgain();
  SecondaryBuffers();
  SimultaneousUse();
  Resubmission();
  Close();
}
