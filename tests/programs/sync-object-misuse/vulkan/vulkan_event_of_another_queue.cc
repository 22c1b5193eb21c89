// Defect: A command buffer waits for an event that a command of another queue sets.
// Fix: Both are on one queue.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-srcStageMask-01158
// EXPECT-PARTY earlier-command at SET
#include "common/vulkan_events.h"

int main() {
  Wanted wanted;
  wanted.second_family = true;
  wanted.test_device = true;
  Open(wanted);
  uint32_t waiting_family = SecondFamily();
#ifndef DEFECT
  waiting_family = family;
#endif
  VkQueue waiting;
  vkGetDeviceQueue(device, waiting_family, 0, &waiting);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = waiting_family;
  VkCommandPool other_pool;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &other_pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = other_pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer waits;
  OK(vkAllocateCommandBuffers(device, &allocate, &waits));
  const VkEvent event = MakeEvent();
  const VkMemoryBarrier barrier = CopyBarrier();
  Begin();
  // @SET
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  OK(vkEndCommandBuffer(commands));
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(waits, &begin));
  // @WAIT
  vkCmdWaitEvents(waits, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  1, &barrier, 0, nullptr, 0, nullptr);
  OK(vkEndCommandBuffer(waits));
  VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  info.pCommandBuffers = &waits;
  OK(vkQueueSubmit(waiting, 1, &info, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(event, other_pool);
}
