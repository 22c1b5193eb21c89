// Defect: Destroys an event and a query pool between the recording of the commands that use them and the submission.
// Fix: Destroys them after the submission is complete.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-PARTY recorded at RESET
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-PARTY recorded at SET
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan.h"

static VkQueryPool queries;
static VkEvent event;

static void DestroyBoth() {
  vkDestroyQueryPool(device, queries, nullptr);
  vkDestroyEvent(device, event, nullptr);
}

int main() {
  Open();
  VkQueryPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_OCCLUSION;
  pool_info.queryCount = 1;
  OK(vkCreateQueryPool(device, &pool_info, nullptr, &queries));
  VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  OK(vkCreateEvent(device, &event_info, nullptr, &event));
  Begin();
  // @RESET
  vkCmdResetQueryPool(commands, queries, 0, 1);
  // @SET
  vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  DestroyBoth();
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  DestroyBoth();
#endif
  Close();
}
