// Defect while_pending: The host resets a query whose timestamp a submission may still write.
// EXPECT error sync-object-misuse vkResetQueryPool at RESET
// EXPECT-FACT vuid=VUID-vkResetQueryPool-firstQuery-02741
// EXIT any
// Defect before_its_work_begins: The host resets a query of a submission that still waits for a
// timeline value.
// EXPECT error sync-object-misuse vkResetQueryPool at RESET_2
// EXPECT-PARTY pending-command at SUBMIT
// EXPECT-FACT vuid=VUID-vkResetQueryPool-firstQuery-02741
// Defect not_before_the_second_use: A command buffer that begins a query without a reset is
// submitted twice.
// EXPECT error sync-object-misuse vkCmdBeginQuery at BEGIN
// EXPECT-FACT vuid=VUID-vkCmdBeginQuery-None-00807
// EXPECT-PARTY earlier-command at END
// Defect status_of_a_timestamp: The host asks for the status of a timestamp, which has none.
// EXPECT error sync-object-misuse vkGetQueryPoolResults at RESULTS
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-queryType-11874
// EXIT any
// Fix: The host resets queries of complete submissions only, and each begun query is reset.
#include "common/vulkan_objects.h"
#include "common/vulkan_timeline.h"

// Fix: The host waits for the submission before it resets the query.
static void WhilePending() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 4);
  vkResetQueryPool(device, queries, 0, 4);
  Begin();
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  // Queries of the pool that no command uses.
  vkResetQueryPool(device, queries, 2, 2);
  // The results show that the commands are complete.
  uint64_t times[2] = {};
  OK(vkGetQueryPoolResults(device, queries, 0, 2, sizeof(times), times, sizeof(times[0]),
                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  vkResetQueryPool(device, queries, 0, 2);
  OK(vkQueueWaitIdle(queue));
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifndef DEFECT_while_pending
  OK(vkQueueWaitIdle(queue));
#endif
  // @RESET
  vkResetQueryPool(device, queries, 1, 2);
  OK(vkQueueWaitIdle(queue));
  Destroy(queries);
}

// Fix: The host resets the query before the submission.
static void BeforeItsWorkBegins() {
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
#ifdef DEFECT_before_its_work_begins
  // @RESET_2
  vkResetQueryPool(device, queries, 0, 2);
#endif
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = timeline;
  now.value = value;
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
  vkResetQueryPool(device, queries, 0, 2);
  Destroy(queries, timeline);
}

// Fix: The host resets the query before the second submission.
static void NotBeforeTheSecondUse() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 1);
  vkResetQueryPool(device, queries, 0, 1);
  Begin();
  // @BEGIN
  vkCmdBeginQuery(commands, queries, 0, 0);
  // @END
  vkCmdEndQuery(commands, queries, 0);
  Run();
#ifndef DEFECT_not_before_the_second_use
  vkResetQueryPool(device, queries, 0, 1);
#endif
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Destroy(queries);
}

// Fix: The host asks for the timestamp alone.
static void StatusOfATimestamp() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 1);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
  Run();
  uint64_t results[2] = {};
  VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT;
#ifdef DEFECT_status_of_a_timestamp
  flags |= 0x10;  // VK_QUERY_RESULT_WITH_STATUS_BIT_KHR
#endif
  // @RESULTS
  OK(vkGetQueryPoolResults(device, queries, 0, 1, sizeof(results), results, sizeof(results),
                           flags));
  Close(queries);
}

int main() {
  OpenWithHostReset();
  WhilePending();
  BeforeItsWorkBegins();
  NotBeforeTheSecondUse();
  Close();
  StatusOfATimestamp();
}
