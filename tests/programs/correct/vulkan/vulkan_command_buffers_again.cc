// Command buffers that are used again in all the ways there are: reset with their pool while
// another pool's are pending, freed and made anew, begun without a reset, and left in the middle of
// recording.
#include "common/vulkan_compute.h"

namespace {

struct Frame {
  VkCommandPool pool;
  VkCommandBuffer commands;
  VkFence done;
};

Frame MakeFrame() {
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

void Allocate(Frame* frame) {
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = frame->pool;
  info.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &info, &frame->commands));
}

}  // namespace

int main() {
  Open();
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
  Close(input, output, compute);
}
