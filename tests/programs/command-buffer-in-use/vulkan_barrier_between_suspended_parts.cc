// Defect: A command buffer that resumes a rendering of another one begins with a barrier.
// Fix: The barrier comes behind the rendering.
// EXPECT error command-buffer-in-use vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pCommandBuffers-06015
// EXIT any
#include "common/vulkan_suspended.h"

static void Order() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
}

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer first = commands, second = MakePrimary();
  Begin();
  Order();
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
  OK(vkEndCommandBuffer(commands));
  commands = second;
  Begin();
#ifdef DEFECT
  Order();
#endif
  // A state between the parts is allowed.
  const float constants[4] = {};
  vkCmdSetBlendConstants(commands, constants);
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
#ifndef DEFECT
  Order();
#endif
  OK(vkEndCommandBuffer(commands));
  SubmitParts({first, second});
  OK(vkQueueWaitIdle(queue));
  commands = first;
  Close(rendering);
}
