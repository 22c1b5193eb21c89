// Defect: The host asks for the status of a timestamp, which has none.
// Fix: The host asks for the timestamp alone.
// EXPECT error sync-object-misuse vkGetQueryPoolResults at RESULTS
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-queryType-11874
// EXIT any
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 1);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
  Run();
  uint64_t results[2] = {};
  VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT;
#ifdef DEFECT
  flags |= 0x10;  // VK_QUERY_RESULT_WITH_STATUS_BIT_KHR
#endif
  // @RESULTS
  OK(vkGetQueryPoolResults(device, queries, 0, 1, sizeof(results), results, sizeof(results),
                           flags));
  Close(queries);
}
