// Defect: Queries are used without a reset or a result, reset at the wrong time, or not ended.
// Fix: Each query is reset, begun and ended once for each use.
#include "common/vulkan_objects.h"

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

// Defect: The last of the timestamps of a frame goes to a query that the pool does not have.
// Fix: The pool has a query for each timestamp.
// EXPECT error sync-object-misuse vkCmdResetQueryPool at RESET
// EXPECT-FACT vuid=VUID-vkCmdResetQueryPool-firstQuery-09437
static void QueryPastThePool() {
  constexpr uint32_t kStamps = 4;
  uint32_t count = kStamps;
#ifdef DEFECT
  count = kStamps - 1;
#endif
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, count);
  Begin();
  // @RESET
  vkCmdResetQueryPool(commands, queries, 0, kStamps);
  for (uint32_t i = 0; i < count; ++i)
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, i);
  OK(vkEndCommandBuffer(commands));
  Destroy(queries);
}

// Defect: A query is reset while it is active.
// Fix: It is reset before it begins.
// EXPECT error sync-object-misuse vkCmdResetQueryPool at RESET_2
// EXPECT-FACT vuid=VUID-vkCmdResetQueryPool-None-02841
static void QueryResetWhileActive() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 2);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifdef DEFECT
  // @RESET_2
  vkCmdResetQueryPool(commands, queries, 0, 1);
#endif
  vkCmdEndQuery(commands, queries, 0);
  OK(vkEndCommandBuffer(commands));
  Destroy(queries);
}

// Defect: A recording ends while one of its queries is active.
// Fix: The query ends first.
// EXPECT error sync-object-misuse vkEndCommandBuffer at END
// EXPECT-FACT vuid=VUID-vkEndCommandBuffer-commandBuffer-00061
static void QueryNotEnded() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 1);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  vkCmdBeginQuery(commands, queries, 0, 0);
#ifndef DEFECT
  vkCmdEndQuery(commands, queries, 0);
#endif
  // @END
  OK(vkEndCommandBuffer(commands));
  Destroy(queries);
}

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
  QueryNeverReset();
  QueryUsedAgain();
  QueryPastThePool();
  QueryResetWhileActive();
  QueryNotEnded();
  QueryCopiedBeforeItsEnd();
  QueryCopiedWhileActive();
  QueryCopiedWithoutReset();
  Close();
}
