// Defect: Queries are written that were never reset, or not reset since their last use.
// Fix: Each query is reset before each use.
#include "common/vulkan_queries.h"

// Defect: Of three queries only the first one is reset. A timestamp is written to the second one, and the
//   result of the third one is read.
// Fix: All are reset first.
// EXPECT error sync-object-misuse vkCmdWriteTimestamp at STAMP
// EXPECT-FACT vuid=VUID-vkCmdWriteTimestamp-None-00830
// EXPECT error sync-object-misuse vkGetQueryPoolResults at READ
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-None-09401
static void QueryNeverReset() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 3);
#ifdef DEFECT
  const uint32_t count = 1;
#else
  const uint32_t count = 3;
#endif
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, count);
  // @STAMP
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  Run();
  uint64_t time;
  // @READ
  vkGetQueryPoolResults(device, queries, 2, 1, sizeof(time), &time, 8, VK_QUERY_RESULT_64_BIT);
  Destroy(queries);
}

// Defect: Each frame writes its timestamp to the same query, which only the first frame resets.
// Fix: Each frame resets the query first.
// EXPECT error sync-object-misuse vkCmdWriteTimestamp at STAMP_2
// EXPECT-FACT vuid=VUID-vkCmdWriteTimestamp-None-00830
// EXPECT-PARTY earlier-command at STAMP_2
static void QueryUsedAgain() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  for (int frame = 0; frame < 2; ++frame) {
    Begin();
    if (frame == 0) vkCmdResetQueryPool(commands, queries, 0, 2);
#ifndef DEFECT
    vkCmdResetQueryPool(commands, queries, 1, 1);
#endif
    // @STAMP_2
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
    Run();
  }
  Destroy(queries);
}

int main() {
  Open();
  QueryNeverReset();
  QueryUsedAgain();
  Close();
}
