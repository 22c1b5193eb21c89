// Defect: The results of 256 timestamps are read into a block of 1024 bytes, which the call says to
// have 2048.
// Fix: The block has 2048 bytes.
// EXPECT error host-buffer-overrun vkGetQueryPoolResults at READ
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-pData-parameter
// EXIT any
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 256);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 256);
  for (uint32_t i = 0; i < 256; ++i)
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, i);
  Run();
#ifdef DEFECT
  const size_t bytes = 1024;
#else
  const size_t bytes = 2048;
#endif
  void* times = malloc(bytes);
  // The first half, into a block that the call says to be longer than the results.
  vkGetQueryPoolResults(device, queries, 0, 128, 2048, times, 8, VK_QUERY_RESULT_64_BIT);
  // @READ
  vkGetQueryPoolResults(device, queries, 0, 256, 2048, times, 8, VK_QUERY_RESULT_64_BIT);
  free(times);
  Close(queries);
}
