// Defect: The host resets a query whose timestamp a submission may still write.
// Fix: The host waits for the submission before it resets the query.
// EXPECT error sync-object-misuse vkResetQueryPool at RESET
// EXPECT-FACT vuid=VUID-vkResetQueryPool-firstQuery-02741
// EXIT any
#include "common/vulkan_queries.h"

int main() {
  OpenWithHostReset();
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
#ifndef DEFECT
  OK(vkQueueWaitIdle(queue));
#endif
  // @RESET
  vkResetQueryPool(device, queries, 1, 2);
  OK(vkQueueWaitIdle(queue));
  Close(queries);
}
