// Defect: The results of queries are copied before the end of the query, while it is active, and
// without a reset.
// Fix: The queries have results before the copies.
#include "common/vulkan_queries.h"

// Defect: The result of a timestamp is copied before the command that writes it.
// Fix: The timestamp is written before the copy.
// EXPECT error sync-object-misuse vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-None-08752
static void QueryCopiedBeforeItsEnd() {
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
  Destroy(queries, results);
}

// Defect: The result of a query is copied while the query is active.
// Fix: The query ends first.
// EXPECT error sync-object-misuse vkCmdCopyQueryPoolResults at COPY_2
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-None-07429
static void QueryCopiedWhileActive() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 1);
  const Buffer results = MakeBuffer(4096);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifndef DEFECT
  vkCmdEndQuery(commands, queries, 0);
#endif
  // @COPY_2
  vkCmdCopyQueryPoolResults(commands, queries, 0, 1, results.handle, 0, 4,
                            VK_QUERY_RESULT_WAIT_BIT);
#ifdef DEFECT
  vkCmdEndQuery(commands, queries, 0);
#endif
  OK(vkEndCommandBuffer(commands));
  Destroy(queries, results);
}

// Defect: The results of two queries are copied, but only the first one was ever reset and written.
// Fix: Only that result is copied.
// EXPECT error sync-object-misuse vkCmdCopyQueryPoolResults at COPY_3
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-None-09402
static void QueryCopiedWithoutReset() {
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
  // @COPY_3
  vkCmdCopyQueryPoolResults(commands, queries, 0, count, results.handle, 0, 8,
                            VK_QUERY_RESULT_64_BIT);
  Run();
  Destroy(queries, results);
}

int main() {
  Open();
  QueryCopiedBeforeItsEnd();
  QueryCopiedWhileActive();
  QueryCopiedWithoutReset();
  Close();
}
