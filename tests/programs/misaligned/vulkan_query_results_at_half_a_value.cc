// Defect: Results of 64 bits are copied with a stride of 12 bytes.
// Fix: The stride is a multiple of 8 bytes.
// EXPECT error misaligned vkCmdCopyQueryPoolResults at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-queryCount-12255
// EXIT any
#include "common/vulkan_queries.h"

int main() {
  Open();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 4);
  const Buffer results = MakeBuffer(4096);
#ifdef DEFECT
  const VkDeviceSize stride = 12;
#else
  const VkDeviceSize stride = 8;
#endif
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 4);
  // @COPY
  vkCmdCopyQueryPoolResults(commands, queries, 0, 4, results.handle, 0, stride,
                            VK_QUERY_RESULT_64_BIT);
  // The stride of one result is not used.
  vkCmdCopyQueryPoolResults(commands, queries, 0, 1, results.handle, 2048, 1,
                            VK_QUERY_RESULT_64_BIT);
  OK(vkEndCommandBuffer(commands));
  Close(queries, results);
}
