// Defect: Destroys a query pool and an event that commands which may still run use.
// Fix: Waits for the commands that use a query pool and an event before it destroys them.
// EXPECT error free-in-flight vkDestroyQueryPool at QUERIES
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyQueryPool-queryPool-00793
// EXPECT error free-in-flight vkDestroyEvent at EVENT
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkDestroyEvent-event-01145
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkQueryPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_OCCLUSION;
  pool_info.queryCount = 1;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &pool_info, nullptr, &queries));
  VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  OK(vkCreateEvent(device, &event_info, nullptr, &event));
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @QUERIES
  vkDestroyQueryPool(device, queries, nullptr);
  // @EVENT
  vkDestroyEvent(device, event, nullptr);
#ifdef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  Close();
}
