// A query is reset before each use: in its own command buffer, in another one of the submission, in
// a secondary command buffer, on the host, and on the host while earlier work waits for a value
// that the host signals later.
#include "common/vulkan_queries.h"
#include "common/vulkan_secondary.h"
#include "common/vulkan_timeline.h"

namespace {

VkCommandBuffer MakeCommands() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

void Stamp(VkCommandBuffer target, VkQueryPool queries, uint32_t query) {
  vkCmdWriteTimestamp(target, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, query);
}

}  // namespace

int main() {
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
