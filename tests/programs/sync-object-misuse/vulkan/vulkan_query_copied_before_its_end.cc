// Defect: The result of a timestamp is copied before the command that writes it.
// Fix: The timestamp is written before the copy.
// EXPECT error sync-object-misuse vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-None-08752
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  const Buffer results = MakeBuffer(4096);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
#ifndef DEFECT
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
#endif
  // @COPY
  vkCmdCopyQueryPoolResults(commands, queries, 0, 2, results.handle, 0, 8, VK_QUERY_RESULT_64_BIT);
#ifdef DEFECT
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
#endif
  Run();
  Close(queries, results);
}
