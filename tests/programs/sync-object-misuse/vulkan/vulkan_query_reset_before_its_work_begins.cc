// Defect: The host resets a query of a submission that still waits for a timeline value.
// Fix: The host resets the query before the submission.
// EXPECT error sync-object-misuse vkResetQueryPool at RESET
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkResetQueryPool-firstQuery-02741
#include "common/vulkan_queries.h"
#include "common/vulkan_timeline.h"

int main() {
  OpenWithHostReset();
  const VkSemaphore timeline = MakeTimeline();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 4);
  vkResetQueryPool(device, queries, 0, 2);
  Begin();
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  OK(vkEndCommandBuffer(commands));
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
  // Queries of the pool that no command uses.
  vkResetQueryPool(device, queries, 2, 2);
#ifdef DEFECT
  // @RESET
  vkResetQueryPool(device, queries, 0, 2);
#endif
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = timeline;
  now.value = value;
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
  vkResetQueryPool(device, queries, 0, 2);
  Close(queries, timeline);
}
