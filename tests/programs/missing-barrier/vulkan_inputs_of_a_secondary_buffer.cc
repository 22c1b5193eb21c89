// Defect: A secondary command buffer draws inside of dynamic rendering with indices and parameters
// that the primary one has just filled, and nothing orders the two.
// Fix: A barrier orders the fills and the draws.
// EXPECT error missing-barrier vkCmdDrawIndexedIndirect at DRAW
// EXPECT-PARTY earlier-access at PARAMETERS
// EXPECT error missing-barrier vkCmdDrawIndexedIndirect at DRAW
// EXPECT-PARTY earlier-access at INDICES
#include "common/vulkan_barriers.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const Buffer indices = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer parameters = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const VkCommandBuffer secondary = MakeSecondary();
  VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
  vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  vkCmdBindIndexBuffer(secondary, indices.handle, 0, VK_INDEX_TYPE_UINT16);
  // @DRAW
  vkCmdDrawIndexedIndirect(secondary, parameters.handle, 0, 1, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  // @INDICES
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
  // @PARAMETERS
  vkCmdFillBuffer(commands, parameters.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
#endif
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  Run();
  Close(indices, parameters, rendering);
}
