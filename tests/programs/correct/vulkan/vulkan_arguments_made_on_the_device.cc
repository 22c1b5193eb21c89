// A dispatch whose size another dispatch has written, results of queries that are copied to a buffer,
// and a buffer that is updated from the command buffer in front of a dispatch.
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory),
               sizes = MakeBuffer(256, kStorage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
               target = MakeBuffer(4096);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  for (int i = 0; i < 1024; ++i) static_cast<uint32_t*>(data)[i] = 1;
  vkUnmapMemory(device, input.memory);
  SetBuffers(compute, input.handle, sizes.handle);
  VkQueryPoolCreateInfo query_info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  query_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  query_info.queryCount = 2;
  VkQueryPool queries;
  OK(vkCreateQueryPool(device, &query_info, nullptr, &queries));

  const uint32_t numbers[4] = {1, 2, 3, 4};
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdUpdateBuffer(commands, input.handle, 1024, sizeof(numbers), numbers);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  Bind(compute);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  vkCmdDispatch(commands, 1, 1, 1);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  // 3 x 3 x 3 groups.
  vkCmdDispatchIndirect(commands, sizes.handle, 0);
  barrier.srcAccessMask = 0;
  barrier.dstAccessMask = 0;
  vkCmdPipelineBarrier(commands,
                       VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  vkCmdCopyQueryPoolResults(commands, queries, 0, 2, target.handle, 64, 8,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &barrier, 0, nullptr, 0, nullptr);
  const VkBufferCopy results = {64, 128, 16};
  vkCmdCopyBuffer(commands, target.handle, target.handle, 1, &results);
  Run();
  vkDestroyQueryPool(device, queries, nullptr);
  for (const Buffer& buffer : {input, sizes, target}) Destroy(buffer);
  Close(compute);
}
