// Defect: Writes the push constants of the vertex shader twice, and none of the fragment shader.
// Fix: The second write is for the fragment shader.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08601
// EXPECT-TEXT whose fragment shader reads bytes 16 to 31 of the push constants
#include "common/vulkan_tints.h"

int main() {
  OpenForRendering();
  const Tints tints = MakeTints();
  const float values[4] = {1, 0, 0, 1};
  BeginTints(tints);
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(values), values);
#ifdef DEFECT
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(values), values);
#else
  vkCmdPushConstants(commands, tints.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 16, sizeof(values),
                     values);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(tints);
}
