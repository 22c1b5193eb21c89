// Defect: A buffer is filled between a suspended rendering and the one that resumes it.
// Fix: It is filled before the rendering begins.
// EXPECT error command-buffer-in-use vkCmdFillBuffer at FILL
// EXPECT-FACT vuid=VUID-vkCmdFillBuffer-suspended
// EXIT any
#include "common/vulkan_suspended.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const Buffer buffer = MakeBuffer(64);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 1);
#endif
  RecordPart(rendering, VK_RENDERING_SUSPENDING_BIT);
#ifdef DEFECT
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 1);
#endif
  RecordPart(rendering, VK_RENDERING_RESUMING_BIT);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({commands});
  OK(vkQueueWaitIdle(queue));
  Close(buffer, rendering);
}
