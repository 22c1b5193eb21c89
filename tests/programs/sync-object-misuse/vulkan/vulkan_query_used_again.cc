// Defect: Each frame writes its timestamp to the same query, which only the first frame resets.
// Fix: Each frame resets the query first.
// EXPECT error sync-object-misuse vkCmdWriteTimestamp at STAMP
// EXPECT-FACT vuid=VUID-vkCmdWriteTimestamp-None-00830
// EXPECT-PARTY earlier-command at STAMP
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  for (int frame = 0; frame < 2; ++frame) {
    Begin();
    if (frame == 0) vkCmdResetQueryPool(commands, queries, 0, 2);
#ifndef DEFECT
    vkCmdResetQueryPool(commands, queries, 1, 1);
#endif
    // @STAMP
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
    Run();
  }
  Close(queries);
}
