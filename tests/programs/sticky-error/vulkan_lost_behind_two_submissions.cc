// Defect: The device is lost while two submissions are in flight. The finding names both, with
// their commands. The program continues for a while as if nothing had happened, and then destroys
// everything, which yields no further finding.
// Fix: The device is not lost. A wait and one more submission follow; then everything is destroyed.
// EXPECT error sticky-error vkWaitForFences VK_ERROR_DEVICE_LOST at WAIT
// EXPECT-PARTY pending-command at FIRST
// EXPECT-PARTY pending-command at SECOND
// EXPECT-PARTY recorded at FILL
// EXPECT-FACT pending_commands=2
// EXPECT-TEXT vkQueueSubmit of vkCmdCopyBuffer
#include "common/vulkan.h"

namespace {

VkCommandBuffer Another() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

}  // namespace

int main() {
#ifdef DEFECT
  Open({.lost_by = "vkWaitForFences"});
#else
  Open();
#endif
  const Buffer source = MakeStaging(4096);
  const Buffer target = MakeBuffer(4096, kCopies, kHostMemory);
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));

  Begin();
  // @FILL
  vkCmdFillBuffer(commands, target.handle, 0, 4096, 0);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  // @FIRST
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const VkCommandBuffer first = commands;
  commands = Another();
  Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
#ifndef DEFECT
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &barrier, 0, nullptr, 0, nullptr);
#endif
  OK(vkEndCommandBuffer(commands));
  // @SECOND
  OK(vkQueueSubmit(queue, 1, &info, fence));
  // @WAIT
  const VkResult waited = vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
#ifdef DEFECT
  CHECK(waited == VK_ERROR_DEVICE_LOST);
#else
  CHECK(waited == VK_SUCCESS);
#endif

  void* data;
  OK(vkMapMemory(device, target.memory, 0, VK_WHOLE_SIZE, 0, &data));
  const char seen = *static_cast<const char*>(data);
  vkUnmapMemory(device, target.memory);
  printf("%d\n", seen >= 0);

  // Neither is pending any more, and the one-time buffer goes nowhere.
  vkResetFences(device, 1, &fence);
  VkSubmitInfo again = SubmitInfo();
  again.pCommandBuffers = &first;
  CHECK(vkQueueSubmit(queue, 1, &again, fence) != VK_SUCCESS ||
        vkDeviceWaitIdle(device) == VK_SUCCESS);
  Close(fence, source, target);
}
