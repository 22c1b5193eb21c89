// Defect: A draw with a vertex input that vkCmdSetVertexInputEXT set reads vertices that were just filled, and nothing
// orders the two.
// Fix: A barrier makes the vertices visible to the draw.
// EXPECT error missing-barrier vkCmdDraw at DRAW
// EXPECT-PARTY earlier-access at FILL
// EXPECT-FACT later_access=VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT
#include "common/vulkan_barriers.h"
#include "common/vulkan_dynamic_inputs.h"

int main() {
  OpenForDynamicInputs();
  const Rendering rendering = MakeDynamicInputs();
  const Buffer vertices =
      MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  // @FILL
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
#endif
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  SetInput(0, kVertexBytes);
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &none);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(vertices, rendering);
}
