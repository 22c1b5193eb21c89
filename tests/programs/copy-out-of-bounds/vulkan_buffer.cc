// Defect copy: Copies more bytes than the destination has.
// EXPECT error copy-out-of-bounds vkCmdCopyBuffer at COPY
// EXPECT-FACT size_bytes=4096
// Defect update: vkCmdUpdateBuffer is given more than the 65536 bytes that one update may have.
// EXPECT error copy-out-of-bounds vkCmdUpdateBuffer at UPDATE
// EXPECT-FACT vuid=VUID-vkCmdUpdateBuffer-dataSize-00037
// EXIT any
// Defect query_results: The results of queries are copied to a buffer that has room for one of them
// less.
// EXPECT error copy-out-of-bounds vkCmdCopyQueryPoolResults at COPY_2
// EXPECT-FACT vuid=VUID-vkCmdCopyQueryPoolResults-dstBuffer-00824
// EXIT any
// Defect dispatch_parameters: The parameters of a dispatch begin 8 bytes before the end of their
// buffer.
// EXPECT error copy-out-of-bounds vkCmdDispatchIndirect at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatchIndirect-offset-00407
// EXIT any
// Defect barrier: A barrier for the second half of a buffer names as many bytes as the buffer has.
// EXPECT error copy-out-of-bounds vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkBufferMemoryBarrier-size-01189
// Defect view: A buffer view shows more bytes than the buffer has.
// EXPECT error copy-out-of-bounds vkCreateBufferView at VIEW
// EXPECT-FACT vuid=VUID-VkBufferViewCreateInfo-offset-00931
// EXIT any
// Defect condition: The predicate of conditional rendering is behind the end of its buffer.
// EXPECT error copy-out-of-bounds vkCmdBeginConditionalRenderingEXT at BEGIN
// EXPECT-FACT vuid=VUID-VkConditionalRenderingBeginInfoEXT-offset-01983
// Defect counter: The end of transform feedback writes its counter at the end of the counter
// buffer.
// EXPECT error copy-out-of-bounds vkCmdEndTransformFeedbackEXT at END
// EXPECT-FACT vuid=VUID-vkCmdEndTransformFeedbackEXT-pCounterBufferOffsets-02378
// EXIT any
// Fix: The command ends with the buffer.
#include "common/vulkan.h"
#include "common/vulkan_captures.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_conditions.h"
#include "common/vulkan_objects.h"

// Fix: Copies as many bytes as the destination has.
static void Copy() {
  const Buffer source = MakeStaging(4096);
  const Buffer target = MakeBuffer(2048);
  Begin();
#ifdef DEFECT_copy
  const VkBufferCopy all = {0, 0, 4096};
#else
  const VkBufferCopy all = {0, 0, 2048};
#endif
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted: the device would write past the end.
  OK(vkEndCommandBuffer(commands));
  Destroy(source, target);
}

// Fix: The update has 65536 bytes.
static void Update() {
  const Buffer buffer = MakeBuffer(131072);
  const std::vector<char> data(131072);
#ifdef DEFECT_update
  const VkDeviceSize bytes = 70000;
#else
  const VkDeviceSize bytes = 65536;
#endif
  Begin();
  // @UPDATE
  vkCmdUpdateBuffer(commands, buffer.handle, 0, bytes, data.data());
  Run();
  Destroy(buffer);
}

// Fix: The buffer has room for all of them.
static void QueryResults() {
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 4);
#ifdef DEFECT_query_results
  const Buffer results = MakeBuffer(3 * 16);
#else
  const Buffer results = MakeBuffer(4 * 16);
#endif
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 4);
  // @COPY_2
  vkCmdCopyQueryPoolResults(commands, queries, 0, 4, results.handle, 0, 16,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  OK(vkEndCommandBuffer(commands));
  Destroy(queries, results);
}

// Fix: All 12 bytes of them are in the buffer.
static void DispatchParameters() {
  const Buffer parameters = MakeBuffer(4096, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const Buffer a = MakeBuffer(4096, kStorage), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  Bind(compute);
#ifdef DEFECT_dispatch_parameters
  const VkDeviceSize offset = 4096 - 8;
#else
  const VkDeviceSize offset = 4096 - 12;
#endif
  // @DISPATCH
  vkCmdDispatchIndirect(commands, parameters.handle, offset);
  OK(vkEndCommandBuffer(commands));
  Destroy(compute, a, b, parameters);
}

// Fix: It names the bytes of the second half.
static void Barrier() {
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096), third = MakeBuffer(4096);
  const VkBufferCopy half = {2048, 2048, 2048};
  VkBufferMemoryBarrier barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.buffer = target.handle;
  barrier.offset = 2048;
  barrier.size = 2048;
#ifdef DEFECT_barrier
  barrier.size = 4096;
#endif
  Begin();
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &half);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &barrier, 0, nullptr);
  vkCmdCopyBuffer(commands, target.handle, third.handle, 1, &half);
  Run();
  Destroy(source, target, third);
}

// Fix: The view ends with the buffer.
static void View() {
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.handle;
  info.format = VK_FORMAT_R32_UINT;
  info.range = 4096;
#ifdef DEFECT_view
  info.range = 8192;
#endif
  VkBufferView view;
  // @VIEW
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  Destroy(buffer);
}

// Fix: It is the last word of the buffer.
static void Condition() {
  OpenForConditions();
  const Buffer buffer = MakeBuffer(4096, kCondition);
#ifdef DEFECT_condition
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 4096);
#else
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(buffer, 4092);
#endif
  Begin();
  // @BEGIN
  begin_conditional(commands, &info);
  end_conditional(commands);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}

// Fix: It writes the last 4 bytes of the buffer.
static void Counter() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
#ifdef DEFECT_counter
  const VkDeviceSize offset = 256;
#else
  const VkDeviceSize offset = 252;
#endif
  Begin();
  BeginDraws(made);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // @END
  end_captures(commands, 0, 1, &made.counter.handle, &offset);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(made);
}

int main() {
  Open();
  Copy();
  Update();
  QueryResults();
  DispatchParameters();
  Barrier();
  View();
  Close();
  Condition();
  Counter();
}
