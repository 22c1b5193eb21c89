// Defect: A timestamp is written to a query that was never reset.
// Fix: The pool is reset first.
// EXPECT error sync-object-misuse vkCmdWriteTimestamp at STAMP
// EXPECT-FACT vuid=VUID-vkCmdWriteTimestamp-None-00830
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  Begin();
#ifndef DEFECT
  vkCmdResetQueryPool(commands, queries, 0, 2);
#endif
  // @STAMP
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
  Run();
  vkDestroyQueryPool(device, queries, nullptr);
  Close();
}
