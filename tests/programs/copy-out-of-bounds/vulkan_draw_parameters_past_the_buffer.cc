// Defect: Three draws take their parameters from a buffer with those of two.
// Fix: There are two draws.
// EXPECT error copy-out-of-bounds vkCmdDrawIndirect at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDrawIndirect-drawCount-00488
// EXIT any
#include "common/vulkan_features.h"
#include "common/vulkan_rendering.h"

int main() {
  OpenWithFeatures({&VkPhysicalDeviceFeatures::multiDrawIndirect});
  const Rendering rendering = MakeRendering();
  const Buffer parameters =
      MakeBuffer(2 * sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
#ifdef DEFECT
  const uint32_t draws = 3;
#else
  const uint32_t draws = 2;
#endif
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  // @DRAW
  vkCmdDrawIndirect(commands, parameters.handle, 0, draws, sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(parameters, rendering);
}
