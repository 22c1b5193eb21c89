// Defect: A query is reset while it is active.
// Fix: It is reset before it begins.
// EXPECT error sync-object-misuse vkCmdResetQueryPool at RESET
// EXPECT-FACT vuid=VUID-vkCmdResetQueryPool-None-02841
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 2);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifdef DEFECT
  // @RESET
  vkCmdResetQueryPool(commands, queries, 0, 1);
#endif
  vkCmdEndQuery(commands, queries, 0);
  OK(vkEndCommandBuffer(commands));
  Close(queries);
}
