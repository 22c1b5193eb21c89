// One buffer holds what several frames use, and is bound as a whole: while a dispatch uses one part
// of it, others are filled by transfers, on its queue and on another one, and nothing is to be
// ordered.
#include "common/vulkan_compute.h"
#include "common/vulkan_second_queue.h"

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const uint32_t families[] = {family, SecondFamily()};
  const SecondQueue other = OpenSecondQueue();

  const Compute compute = MakeCompute();
  Buffer all;
  VkBufferCreateInfo shared = BufferInfo(16384, kStorage);
  shared.sharingMode = VK_SHARING_MODE_CONCURRENT;
  shared.queueFamilyIndexCount = 2;
  shared.pQueueFamilyIndices = families;
  OK(vkCreateBuffer(device, &shared, nullptr, &all.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, all.handle, &needs);
  all.memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, all.handle, all.memory, 0));
  const Buffer output = MakeBuffer(256, kStorage);
  SetBuffers(compute, all.handle, output.handle);

  Begin();
  vkCmdFillBuffer(commands, all.handle, 0, VK_WHOLE_SIZE, 1);
  Run();
  // 64 values at the start are read.
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 1, 1, 1);
  vkCmdFillBuffer(commands, all.handle, 4096, 4096, 2);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  vkCmdFillBuffer(other.commands, all.handle, 8192, 4096, 3);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo first = SubmitInfo(), second = SubmitInfo();
  second.pCommandBuffers = &other.commands;
  OK(vkQueueSubmit(queue, 1, &first, VK_NULL_HANDLE));
  OK(vkQueueSubmit(other.queue, 1, &second, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(other.pool, output, all, compute);
}
