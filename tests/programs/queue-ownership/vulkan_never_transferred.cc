// Defect: A buffer is written by one queue family and read by another, after a wait of the host,
// but its ownership was never transferred.
// Fix: The family that writes the buffer releases it, the one that reads it acquires it.
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT
#include "common/vulkan.h"

// The other family of the device, with a queue and a command buffer of its own.
static uint32_t other_family;
static VkQueue other_queue;
static VkCommandBuffer other_commands;
static VkCommandPool other_pool;

static void OpenBoth() {
  other_family = SecondFamily();
  vkGetDeviceQueue(device, other_family, 0, &other_queue);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = other_family;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &other_pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = other_pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &other_commands));
}

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  OpenBoth();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096), c = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifndef DEFECT
  VkBufferMemoryBarrier release = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  release.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  release.dstAccessMask = 0;
  release.srcQueueFamilyIndex = family;
  release.dstQueueFamilyIndex = other_family;
  release.buffer = b.handle;
  release.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 1, &release, 0,
                       nullptr);
#endif
  Run();
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other_commands, &begin));
#ifndef DEFECT
  VkBufferMemoryBarrier acquire = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  acquire.srcAccessMask = 0;
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  acquire.srcQueueFamilyIndex = family;
  acquire.dstQueueFamilyIndex = other_family;
  acquire.buffer = b.handle;
  acquire.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(other_commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 1, &acquire, 0, nullptr);
#endif
  vkCmdCopyBuffer(other_commands, b.handle, c.handle, 1, &all);
  OK(vkEndCommandBuffer(other_commands));
  VkSubmitInfo info = SubmitInfo();
  info.pCommandBuffers = &other_commands;
  // @SUBMIT
  OK(vkQueueSubmit(other_queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(other_queue));
  Destroy(a);
  Destroy(b);
  Destroy(c);
  vkDestroyCommandPool(device, other_pool, nullptr);
  Close();
}
