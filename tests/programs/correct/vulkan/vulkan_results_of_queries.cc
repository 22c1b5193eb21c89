// The host waits for the result of a timestamp behind a copy, and takes the copy for complete: it
// destroys the buffers and records the command buffer again. Each frame has a query of its own, so
// that no result of an earlier frame ends the wait.
#include "common/vulkan.h"

int main() {
  Open();
  VkQueryPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  pool_info.queryCount = 3;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &pool_info, nullptr, &queries));
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 3);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  for (uint32_t frame = 0; frame < 3; ++frame) {
    const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
    const VkBufferCopy all = {0, 0, 4096};
    Begin();
    vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, frame);
    OK(vkEndCommandBuffer(commands));
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    uint64_t time = 0;
    OK(vkGetQueryPoolResults(device, queries, frame, 1, sizeof(time), &time, sizeof(time),
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    Destroy(a);
    Destroy(b);
  }
  vkDestroyQueryPool(device, queries, nullptr);
  OK(vkQueueWaitIdle(queue));
  Close();
}
