// Queries are reset in every way, and their results are copied and waited for.
#include "common/vulkan.h"
#include "common/vulkan_objects.h"
#include "common/vulkan_secondary.h"
#include "common/vulkan_timeline.h"

// A query is reset before each use: in its own command buffer, in another one of the submission, in
// a secondary command buffer, on the host, and on the host while earlier work waits for a value
// that the host signals later.
static VkCommandBuffer MakeCommands() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

static void Stamp(VkCommandBuffer target, VkQueryPool queries, uint32_t query) {
  vkCmdWriteTimestamp(target, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, query);
}

static void QueriesResetInEveryWay() {
  OpenWithHostReset();
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 8);
  const VkCommandBuffer reset = MakeCommands(), secondary = MakeSecondary();
  const VkCommandBufferInheritanceInfo none = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  OK(vkBeginCommandBuffer(reset, &begin));
  vkCmdResetQueryPool(reset, queries, 0, 4);
  OK(vkEndCommandBuffer(reset));
  begin.pInheritanceInfo = &none;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdResetQueryPool(secondary, queries, 4, 1);
  Stamp(secondary, queries, 4);
  vkCmdResetQueryPool(secondary, queries, 4, 1);
  OK(vkEndCommandBuffer(secondary));

  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Stamp(commands, queries, 0);
  vkCmdExecuteCommands(commands, 1, &secondary);
  Stamp(commands, queries, 4);
  vkCmdResetQueryPool(commands, queries, 5, 1);
  Stamp(commands, queries, 5);
  OK(vkEndCommandBuffer(commands));
  const VkCommandBuffer both[] = {reset, commands};
  VkSubmitInfo info = SubmitInfo();
  info.commandBufferCount = 2;
  info.pCommandBuffers = both;
  for (int i = 0; i < 3; ++i) OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));

  const VkSemaphore timeline = MakeTimeline();
  Begin();
  Stamp(commands, queries, 6);
  OK(vkEndCommandBuffer(commands));
  for (uint64_t value = 1; value < 6; value += 2) {
    vkResetQueryPool(device, queries, 6, 1);
    SubmitBetween(timeline, value, value + 1);
    vkResetQueryPool(device, queries, 7, 1);
    VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    signal.semaphore = timeline;
    signal.value = value;
    OK(vkSignalSemaphore(device, &signal));
    OK(vkQueueWaitIdle(queue));
  }
  Close(timeline, queries);
}

// The host waits for the result of a timestamp behind a copy, and takes the copy for complete: it
// destroys the buffers and records the command buffer again. Each frame has a query of its own, so
// that no result of an earlier frame ends the wait.
static void ResultsOfQueries() {
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

// Results of queries are copied, and what makes them available looks missing: a submission before
// the copy ends the query, a secondary command buffer writes the timestamp, the query is one of
// those that a subpass with two views takes, or the copy says itself which results it lacks.
// Both views of one subpass write a timestamp: the queries 0 and 1.
static void StampTwoViews(VkQueryPool queries) {
  VkSubpassDescription subpass = {0, VK_PIPELINE_BIND_POINT_GRAPHICS};
  const uint32_t views = 3;
  VkRenderPassMultiviewCreateInfo multiview = {
      VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  multiview.subpassCount = 1;
  multiview.pViewMasks = &views;
  VkRenderPassCreateInfo pass_info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, &multiview};
  pass_info.subpassCount = 1;
  pass_info.pSubpasses = &subpass;
  VkRenderPass pass;
  OK(vkCreateRenderPass(device, &pass_info, nullptr, &pass));
  VkFramebufferCreateInfo frame_info = {VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  frame_info.renderPass = pass;
  frame_info.width = frame_info.height = 16;
  frame_info.layers = 1;
  VkFramebuffer frame;
  OK(vkCreateFramebuffer(device, &frame_info, nullptr, &frame));
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = pass;
  begin.framebuffer = frame;
  begin.renderArea.extent = {16, 16};
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
  vkCmdEndRenderPass(commands);
  Run();
  vkDestroyFramebuffer(device, frame, nullptr);
  vkDestroyRenderPass(device, pass, nullptr);
}

static void Copy(VkQueryPool queries, uint32_t count, VkQueryResultFlags flags = 0) {
  const Buffer results = MakeBuffer(4096);
  Begin();
  vkCmdCopyQueryPoolResults(commands, queries, 0, count, results.handle, 0, 16,
                            VK_QUERY_RESULT_64_BIT | flags);
  Run();
  Destroy(results);
}

static void CopiesOfResults() {
  VkPhysicalDeviceVulkan11Features more = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  more.multiview = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &more};
  features.hostQueryReset = VK_TRUE;
  Open({.features = &features});

  const VkQueryPool counts = MakeQueries(VK_QUERY_TYPE_OCCLUSION, 2);
  vkResetQueryPool(device, counts, 0, 2);
  Begin();
  vkCmdBeginQuery(commands, counts, 0, 0);
  vkCmdEndQuery(commands, counts, 0);
  Run();
  Copy(counts, 1);
  Copy(counts, 2, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);

  const VkQueryPool stamps = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 2);
  StampTwoViews(stamps);
  Copy(stamps, 2);

  const VkQueryPool others = MakeQueries(VK_QUERY_TYPE_TIMESTAMP, 1);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer secondary;
  OK(vkAllocateCommandBuffers(device, &allocate, &secondary));
  VkCommandBufferInheritanceInfo inherited = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inherited;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdWriteTimestamp(secondary, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, others, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdResetQueryPool(commands, others, 0, 1);
  vkCmdExecuteCommands(commands, 1, &secondary);
  Run();
  Copy(others, 1);

  for (const VkQueryPool queries : {counts, stamps, others})
    vkDestroyQueryPool(device, queries, nullptr);
  Close();
}

int main() {
  QueriesResetInEveryWay();
  ResultsOfQueries();
  CopiesOfResults();
}
