// Defect: A command buffer that begins a query without a reset is submitted twice.
// Fix: The host resets the query before the second submission.
// EXPECT error sync-object-misuse vkCmdBeginQuery at BEGIN
// EXPECT-FACT vuid=VUID-vkCmdBeginQuery-None-00807
// EXPECT-PARTY earlier-command at END
#include "common/vulkan_queries.h"

int main() {
  OpenWithHostReset();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 1);
  vkResetQueryPool(device, queries, 0, 1);
  Begin();
  // @BEGIN
  vkCmdBeginQuery(commands, queries, 0, 0);
  // @END
  vkCmdEndQuery(commands, queries, 0);
  Run();
#ifndef DEFECT
  vkResetQueryPool(device, queries, 0, 1);
#endif
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(queries);
}
