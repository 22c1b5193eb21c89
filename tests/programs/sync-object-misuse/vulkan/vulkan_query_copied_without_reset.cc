// Defect: The results of two queries are copied, but only the first one was ever reset and written.
// Fix: Only that result is copied.
// EXPECT error sync-object-misuse vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-None-09402
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 2);
  const Buffer results = MakeBuffer(4096);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdBeginQuery(commands, queries, 0, 0);
  vkCmdEndQuery(commands, queries, 0);
  uint32_t count = 1;
#ifdef DEFECT
  count = 2;
#endif
  // @COPY
  vkCmdCopyQueryPoolResults(commands, queries, 0, count, results.handle, 0, 8,
                            VK_QUERY_RESULT_64_BIT);
  Run();
  Close(queries, results);
}
