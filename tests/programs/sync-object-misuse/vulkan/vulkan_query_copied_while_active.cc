// Defect: The result of a query is copied while the query is active.
// Fix: The query ends first.
// EXPECT error sync-object-misuse vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-None-07429
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 1);
  const Buffer results = MakeBuffer(4096);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifndef DEFECT
  vkCmdEndQuery(commands, queries, 0);
#endif
  // @COPY
  vkCmdCopyQueryPoolResults(commands, queries, 0, 1, results.handle, 0, 4,
                            VK_QUERY_RESULT_WAIT_BIT);
#ifdef DEFECT
  vkCmdEndQuery(commands, queries, 0);
#endif
  OK(vkEndCommandBuffer(commands));
  Close(queries, results);
}
