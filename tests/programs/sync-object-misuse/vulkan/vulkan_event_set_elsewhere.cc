// Defect: The host sets an event at a wrong time, or a command of another queue sets the event.
// Fix: The host sets the event at the right time, or a command of the same queue does.
#include "common/vulkan_events.h"
#include "common/vulkan_timeline.h"

// Defect: The host sets the event of a submission that still waits for a timeline value.
// Fix: The host sets the event before the submission.
// EXPECT error sync-object-misuse vkSetEvent at SET
// EXPECT-PARTY earlier-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkSetEvent-event-09543
static void EventSetBeforeItsWaitBegins() {
  OpenWithTimelines();
  const VkSemaphore timeline = MakeTimeline();
  const VkEvent event = MakeEvent(), other = MakeEvent();
  Begin();
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  0, nullptr, 0, nullptr, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
#ifndef DEFECT
  OK(vkSetEvent(device, event));
#endif
  const uint64_t value = 1;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  VkSubmitInfo info = SubmitInfo();
  info.pNext = &values;
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &timeline;
  info.pWaitDstStageMask = &stage;
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkSetEvent(device, other));
#ifdef DEFECT
  // @SET
  OK(vkSetEvent(device, event));
#endif
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = timeline;
  now.value = value;
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
  Close(other, event, timeline);
}

// Defect: The host sets an event while submitted work waits for it.
// Fix: The host sets the event before the submission.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-srcStageMask-01158
// EXPECT error sync-object-misuse vkSetEvent at SET_2
// EXPECT-PARTY earlier-command at WAIT
// EXPECT-FACT vuid=VUID-vkSetEvent-event-09543
static void EventSetWhileWaitedFor() {
  Open();
  const Chain chain = MakeChain();
  const VkEvent event = MakeEvent();
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @WAIT
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  0, nullptr, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, chain.first.handle, chain.second.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
#ifndef DEFECT
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifdef DEFECT
  // @SET_2
  OK(vkSetEvent(device, event));
#endif
  OK(vkQueueWaitIdle(queue));
  Close(event, chain);
}

// Defect: A command buffer waits for an event that a command of another queue sets.
// Fix: Both are on one queue.
// EXPECT error sync-object-misuse vkCmdWaitEvents at WAIT_2
// EXPECT-FACT vuid=VUID-vkCmdWaitEvents-srcStageMask-01158
// EXPECT-PARTY earlier-command at SET_3
static void EventOfAnotherQueue() {
  if (LacksTestDevice()) return;
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
  // @SET_3
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  OK(vkEndCommandBuffer(commands));
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(waits, &begin));
  // @WAIT_2
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

int main() {
  EventSetBeforeItsWaitBegins();
  EventSetWhileWaitedFor();
  EventOfAnotherQueue();
}
