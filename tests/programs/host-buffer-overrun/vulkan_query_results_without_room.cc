// Defect: Two timestamps are read into memory that is said to have the size of one.
// Fix: The memory has the size of both.
// EXPECT error host-buffer-overrun vkGetQueryPoolResults at READ
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-dataSize-00817
// EXIT any
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  Run();
  uint64_t times[2] = {};
  size_t bytes = sizeof(times);
#ifdef DEFECT
  bytes = sizeof(times[0]);
#endif
  // @READ
  vkGetQueryPoolResults(device, queries, 0, 2, bytes, times, sizeof(times[0]),
                        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  Close(queries);
}
