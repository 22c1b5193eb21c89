// Defect: A secondary command buffer that fills a buffer is executed between a suspended rendering and the one that resumes it.
// Fix: It is executed first.
// EXPECT error command-buffer-in-use vkCmdFillBuffer
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-pCommandBuffers-06021
// EXIT any
#include "common/vulkan_suspended.h"

#include "common/vulkan_secondary.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const Buffer buffer = MakeBuffer(64);
  const VkCommandBuffer fills = MakeSecondary();
  RecordFill(fills, buffer);
  Begin();
#ifndef DEFECT
  vkCmdExecuteCommands(commands, 1, &fills);
#endif
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
#ifdef DEFECT
  vkCmdExecuteCommands(commands, 1, &fills);
#endif
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({commands});
  OK(vkQueueWaitIdle(queue));
  Close(buffer, rendering);
}
