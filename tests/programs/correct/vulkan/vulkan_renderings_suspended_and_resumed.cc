// Suspended renderings: three parts in one command buffer; parts that are recorded in another order than they are
// submitted in, and submitted again; parts in secondary command buffers; a part that is resumed in front of a rendering of
// its own; and parts that are recorded and never submitted, or recorded anew.
#include "common/vulkan_suspended.h"

#include "common/vulkan_secondary.h"

static constexpr VkRenderingFlags kSuspend = VK_RENDERING_SUSPENDING_BIT, kResume = VK_RENDERING_RESUMING_BIT;
static Rendering rendering;

static void Order() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
}

// `ordered`: behind earlier work.
static void Record(VkCommandBuffer to, bool ordered, const std::vector<VkRenderingFlags>& parts) {
  commands = to;
  Begin();
  if (ordered) Order();
  for (const VkRenderingFlags flags : parts) RecordPart(rendering, flags);
  OK(vkEndCommandBuffer(commands));
}

static VkCommandBuffer RecordSecondary(VkRenderingFlags flags) {
  const VkCommandBuffer made = MakeSecondary();
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(made, &begin));
  const VkCommandBuffer primary = commands;
  commands = made;
  RecordPart(rendering, flags);
  OK(vkEndCommandBuffer(commands));
  commands = primary;
  return made;
}

int main() {
  OpenForRendering();
  rendering = MakeRendering();
  const VkCommandBuffer first = commands, second = MakePrimary(), third = MakePrimary();
  Record(first, true, {kSuspend, kResume | kSuspend, kResume});
  SubmitParts({first});
  OK(vkQueueWaitIdle(queue));

  Record(third, false, {kResume});
  Record(first, true, {kSuspend});
  Record(second, false, {kResume | kSuspend});
  for (int i = 0; i < 2; ++i) {
    SubmitParts({first, second, third});
    OK(vkQueueWaitIdle(queue));
  }

  const VkCommandBuffer parts[2] = {RecordSecondary(kSuspend), RecordSecondary(kResume)};
  commands = first;
  Begin();
  Order();
  vkCmdExecuteCommands(commands, 1, &parts[0]);
  vkCmdExecuteCommands(commands, 1, &parts[1]);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({first});
  OK(vkQueueWaitIdle(queue));

  // The second one resumes, and renders once more behind a barrier.
  Record(first, true, {kSuspend});
  commands = second;
  Begin();
  RecordPart(rendering, kResume);
  Order();
  RecordPart(rendering, 0);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({first, second});
  OK(vkQueueWaitIdle(queue));

  Record(third, true, {kResume});
  Record(third, true, {kSuspend});
  Record(third, true, {0});
  SubmitParts({third});
  OK(vkQueueWaitIdle(queue));
  Record(third, true, {kSuspend});
  Close(rendering);
}
