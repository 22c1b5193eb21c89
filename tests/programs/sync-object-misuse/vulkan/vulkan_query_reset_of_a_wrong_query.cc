// Defect: A command resets a query behind the last one of the pool, and a query that is active.
// Fix: The pool has the query, and the reset comes before the query begins.
#include "common/vulkan_queries.h"

// Defect: The last of the timestamps of a frame goes to a query that the pool does not have.
// Fix: The pool has a query for each timestamp.
// EXPECT error sync-object-misuse vkCmdResetQueryPool at RESET
// EXPECT-FACT vuid=VUID-vkCmdResetQueryPool-firstQuery-09437
static void QueryPastThePool() {
  constexpr uint32_t kStamps = 4;
  uint32_t count = kStamps;
#ifdef DEFECT
  count = kStamps - 1;
#endif
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, count);
  Begin();
  // @RESET
  vkCmdResetQueryPool(commands, queries, 0, kStamps);
  for (uint32_t i = 0; i < count; ++i)
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, i);
  OK(vkEndCommandBuffer(commands));
  Destroy(queries);
}

// Defect: A query is reset while it is active.
// Fix: It is reset before it begins.
// EXPECT error sync-object-misuse vkCmdResetQueryPool at RESET_2
// EXPECT-FACT vuid=VUID-vkCmdResetQueryPool-None-02841
static void QueryResetWhileActive() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 2);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifdef DEFECT
  // @RESET_2
  vkCmdResetQueryPool(commands, queries, 0, 1);
#endif
  vkCmdEndQuery(commands, queries, 0);
  OK(vkEndCommandBuffer(commands));
  Destroy(queries);
}

int main() {
  Open();
  QueryPastThePool();
  QueryResetWhileActive();
  Close();
}
