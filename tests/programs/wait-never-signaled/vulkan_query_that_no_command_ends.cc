// Defect: The main thread waits for the result of a query that is reset, but never written, until another
//   thread ends the process.
// Fix: A command writes the query.
// EXPECT error wait-never-signaled vkGetQueryPoolResults at WAIT
// EXPECT-FACT value=1
// EXPECT-TEXT until the process ends
// OPTION --leaks=0
#include "common/vulkan_objects.h"
#include "common/vulkan_threads.h"

int main() {
  OpenForThreads();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
#ifndef DEFECT
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
#endif
  Run();
  EndDuring("vkGetQueryPoolResults");
  uint64_t times[2];
  // @WAIT
  OK(vkGetQueryPoolResults(device, queries, 0, 2, sizeof(times), times, 8,
                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
}
