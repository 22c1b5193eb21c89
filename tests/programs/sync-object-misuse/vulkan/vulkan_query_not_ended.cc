// Defect: A recording ends while one of its queries is active.
// Fix: The query ends first.
// EXPECT error sync-object-misuse vkEndCommandBuffer at END
// EXPECT-FACT vuid=VUID-vkEndCommandBuffer-commandBuffer-00061
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 1);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifndef DEFECT
  vkCmdEndQuery(commands, queries, 0);
#endif
  // @END
  OK(vkEndCommandBuffer(commands));
  Close(queries);
}
