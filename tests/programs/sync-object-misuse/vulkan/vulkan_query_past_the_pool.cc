// Defect: The last of the timestamps of a frame goes to a query that the pool does not have.
// Fix: The pool has a query for each timestamp.
// EXPECT error sync-object-misuse vkCmdResetQueryPool at RESET
// EXPECT-FACT vuid=VUID-vkCmdResetQueryPool-firstQuery-09437
#include "common/vulkan_queries.h"

int main() {
  Open();
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
  Close(queries);
}
