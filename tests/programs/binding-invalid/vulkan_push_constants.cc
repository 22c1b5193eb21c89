// Defect: A shader reads push constants that no command has written.
// Fix: The push constants are written for all stages that read them.
#include "common/vulkan_dispatches.h"
#include "common/vulkan_tints.h"

// Defect: Writes the push constants of the vertex shader twice, and none of the fragment shader.
// Fix: The second write is for the fragment shader.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08601
// EXPECT-TEXT whose fragment shader reads bytes 16 to 31 of the push constants
static void PushConstantsForTheOtherStage() {
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

// Defect: Writes the first of two push constants that the shader reads.
// Fix: Writes both.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08601
// EXPECT-TEXT whose compute shader reads bytes 4 to 7 of the push constants
static void PushConstantsWrittenInPart() {
  Open();
  const Compute windows = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  const Window window = {0, 64};
  Begin();
  Bind(windows);
#ifdef DEFECT
  vkCmdPushConstants(commands, windows.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &window);
#else
  vkCmdPushConstants(commands, windows.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, &window);
#endif
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(windows, words);
}

int main() {
  PushConstantsForTheOtherStage();
  PushConstantsWrittenInPart();
}
