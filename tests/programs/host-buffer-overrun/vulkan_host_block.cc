// Defect clear_value: A render pass that clears its attachment is begun without a clear value: the
// driver reads past the end of the array.
// EXPECT error host-buffer-overrun vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-clearValueCount-00902
// EXIT any
// Defect query_results: The results of 256 timestamps are read into a block of 1024 bytes, which
// the call says to have 2048.
// EXPECT error host-buffer-overrun vkGetQueryPoolResults at READ
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-pData-parameter
// EXIT any
// Defect room_for_query_results: Two timestamps are read into memory that is said to have the size
// of one.
// EXPECT error host-buffer-overrun vkGetQueryPoolResults at READ_2
// EXPECT-FACT vuid=VUID-vkGetQueryPoolResults-dataSize-00817
// EXIT any
// Fix: The host memory has room for all values.
#include "common/vulkan_objects.h"
#include "common/vulkan_pass.h"

// Fix: The clear value is passed.
static void ClearValue() {
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
#ifdef DEFECT_clear_value
  begin.clearValueCount = 0;
#endif
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(pass, image);
}

// Fix: The block has 2048 bytes.
static void QueryResults() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 256);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 256);
  for (uint32_t i = 0; i < 256; ++i)
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, i);
  Run();
#ifdef DEFECT_query_results
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
  Destroy(queries);
}

// Fix: The memory has the size of both.
static void RoomForQueryResults() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  Run();
  uint64_t times[2] = {};
  size_t bytes = sizeof(times);
#ifdef DEFECT_room_for_query_results
  bytes = sizeof(times[0]);
#endif
  // @READ_2
  vkGetQueryPoolResults(device, queries, 0, 2, bytes, times, sizeof(times[0]),
                        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  Destroy(queries);
}

int main() {
  Open();
  ClearValue();
  QueryResults();
  RoomForQueryResults();
  Close();
}
