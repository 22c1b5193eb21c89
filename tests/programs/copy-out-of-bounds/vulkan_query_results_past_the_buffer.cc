// Defect: The results of queries are copied to a buffer that has room for one of them less.
// Fix: The buffer has room for all of them.
// EXPECT error copy-out-of-bounds vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-dstBuffer-00824
// EXIT any
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 4);
#ifdef DEFECT
  const Buffer results = MakeBuffer(3 * 16);
#else
  const Buffer results = MakeBuffer(4 * 16);
#endif
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 4);
  // @COPY
  vkCmdCopyQueryPoolResults(commands, queries, 0, 4, results.handle, 0, 16,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  OK(vkEndCommandBuffer(commands));
  Close(queries, results);
}
