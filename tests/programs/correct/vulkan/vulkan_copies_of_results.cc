// Results of queries are copied, and what makes them available looks missing: a submission before
// the copy ends the query, a secondary command buffer writes the timestamp, the query is one of
// those that a subpass with two views takes, or the copy says itself which results it lacks.
#include "common/vulkan_queries.h"

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

int main() {
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
