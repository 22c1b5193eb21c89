// Waits for the commands that use a query pool and an event before it destroys them.
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
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  vkDestroyQueryPool(device, queries, nullptr);
  vkDestroyEvent(device, event, nullptr);
  Close();
}
