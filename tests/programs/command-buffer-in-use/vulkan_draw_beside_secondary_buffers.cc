// Defect: A rendering is begun for the contents of secondary command buffers, and then draws itself.
// Fix: It is begun for its own contents. One for secondary command buffers, which has none, precedes it.
// EXPECT error command-buffer-in-use vkCmdDraw at DRAW
// EXPECT-TEXT only valid command
#include "common/vulkan_barriers.h"
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  Begin();
#ifdef DEFECT
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
#else
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  vkCmdEndRendering(commands);
  MemoryBarrier(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  BeginRendering(rendering, 0);
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
#else
  Run();
#endif
  Close(rendering);
}
