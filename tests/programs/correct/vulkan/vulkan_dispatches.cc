// Dispatches share buffers, use arguments that the device made, and are skipped by a condition.
#include "common/vulkan_dispatches.h"
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_conditions.h"
#include "shaders/count.comp.h"
#include "shaders/mark.comp.h"

// Dispatches that write the first word of their range, without order in between: to different
// ranges of one buffer, and two with parameters in a buffer, of which only one has groups.
static void SetRange(const Compute& compute, const Buffer& input, const Buffer& output,
                     VkDeviceSize offset) {
  const VkDescriptorBufferInfo infos[] = {{input.handle, 0, 64}, {output.handle, offset, 256}};
  const VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]),
                                         Write(compute.set, 1, &infos[1])};
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
}

static void DispatchesThatMarkAWord() {
  const Compute one = MakeCompute(mark_comp, sizeof(mark_comp)),
                other = MakeCompute(mark_comp, sizeof(mark_comp));
  const Buffer input = MakeBuffer(256, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               sizes = MakeBuffer(256, kStorage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, kHostMemory);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 256);
  vkUnmapMemory(device, input.memory);
  OK(vkMapMemory(device, sizes.memory, 0, VK_WHOLE_SIZE, 0, &data));
  const uint32_t groups[] = {1, 1, 1, 0, 0, 0};
  memcpy(data, groups, sizeof(groups));
  vkUnmapMemory(device, sizes.memory);
  // The ranges differ.
  SetRange(one, input, output, 0);
  SetRange(other, input, output, 256);
  Begin();
  Bind(one);
  vkCmdDispatch(commands, 1, 1, 1);
  Bind(other);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  // Only one of the dispatches runs.
  SetRange(other, input, output, 0);
  Begin();
  Bind(one);
  vkCmdDispatchIndirect(commands, sizes.handle, 0);
  Bind(other);
  vkCmdDispatchIndirect(commands, sizes.handle, 12);
  Run();
  Destroy(input, output, sizes, one, other);
}

// One dispatch writes the first quarter of a buffer that its descriptor shows as a whole, while
// another one reads the second half, and a transfer fills the second quarter: their bytes are
// apart.
static void HalvesOfDispatches() {
  const Compute writer = MakeCompute(), reader = MakeCompute();
  const Buffer input = MakeBuffer(1024, kStorage), all = MakeBuffer(4096, kStorage),
               output = MakeBuffer(2048, kStorage);
  SetBuffers(writer, input.handle, all.handle);
  SetBuffers(reader, all.handle, output.handle);
  const VkDescriptorBufferInfo half = {all.handle, 2048, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(reader.set, 0, &half);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 1);
  vkCmdFillBuffer(commands, all.handle, 0, VK_WHOLE_SIZE, 2);
  Run();
  Begin();
  Bind(writer);
  vkCmdDispatch(commands, 4, 1, 1);
  Bind(reader);
  vkCmdDispatch(commands, 8, 1, 1);
  vkCmdFillBuffer(commands, all.handle, 1024, 1024, 3);
  Run();
  for (const Buffer& buffer : {input, all, output}) Destroy(buffer);
  Destroy(writer, reader);
}

// Dispatches count into one buffer by atomics, and append to a list at the place that an atomic
// gave them: nothing is to be ordered between them.
static void CountersOfSeveralDispatches() {
  const Compute compute = MakeCompute(count_comp, sizeof(count_comp));
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               target = MakeBuffer(4096);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  for (uint32_t i = 0; i < 1024; ++i) static_cast<uint32_t*>(data)[i] = i;
  vkUnmapMemory(device, input.memory);
  SetBuffers(compute, input.handle, output.handle);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  Begin();
  vkCmdFillBuffer(commands, output.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  Bind(compute);
  for (int i = 0; i < 4; ++i) vkCmdDispatch(commands, 4, 1, 1);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  const VkBufferCopy copy = {0, 0, 4096};
  vkCmdCopyBuffer(commands, output.handle, target.handle, 1, &copy);
  Run();
  for (const Buffer& buffer : {input, output, target}) Destroy(buffer);
  Destroy(compute);
}

// A dispatch whose size another dispatch has written, results of queries that are copied to a
// buffer, and a buffer that is updated from the command buffer in front of a dispatch.
static void ArgumentsMadeOnTheDevice() {
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
  Destroy(compute);
}

// Dispatches with bases write tiles of one buffer without barriers: in any order, between plain
// dispatches, and the last tiles with a range that ends with them.
static void TilesInAnyOrder() {
  const Tiles tiles = MakeTiles(16, 12);
  Begin();
  Bind(tiles.compute);
  vkCmdDispatchBase(commands, 8, 0, 0, 4, 1, 1);
  vkCmdDispatch(commands, 2, 1, 1);
  vkCmdDispatchBase(commands, 4, 0, 0, 4, 1, 1);
  vkCmdDispatchBase(commands, 2, 0, 0, 2, 1, 1);
  vkCmdDispatchBase(commands, 2, 0, 0, 0, 1, 1);
  vkCmdFillBuffer(commands, tiles.words.handle, 12 * kTileBytes, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(tiles.compute);
  vkCmdDispatch(commands, 12, 1, 1);
  Run();
  Destroy(tiles);
}

// Conditional rendering skips an indirect dispatch whose number of groups nothing has written.
static void ConditionThatSkips() {
  OpenForConditions();
  const Compute compute = MakeCompute();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Buffer condition = MakeBuffer(256, kCondition);
  const Buffer groups = MakeBuffer(1 << 20, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  vkCmdFillBuffer(commands, condition.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT,
                VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(condition);
  begin_conditional(commands, &info);
  Bind(compute);
  vkCmdDispatchIndirect(commands, groups.handle, 0);
  end_conditional(commands);
  Run();
  Destroy(compute);
  for (const Buffer& buffer : {a, b, condition, groups}) Destroy(buffer);
  Close();
}

int main() {
  Open();
  DispatchesThatMarkAWord();
  HalvesOfDispatches();
  CountersOfSeveralDispatches();
  ArgumentsMadeOnTheDevice();
  TilesInAnyOrder();
  Close();
  ConditionThatSkips();
}
