// Defect: Of three queries only the first one is reset. A timestamp is written to the second one, and the
//   result of the third one is read.
// Fix: All are reset first.
// EXPECT error sync-object-misuse vkCmdWriteTimestamp at STAMP
// EXPECT-FACT vuid=VUID-vkCmdWriteTimestamp-None-00830
// EXPECT error sync-object-misuse vkGetQueryPoolResults at READ
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-None-09401
#include "common/vulkan_queries.h"

int main() {
  Open();
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
  Close(queries);
}
