// Defect: The viewport is set in the primary command buffer, and the draw is in a secondary one.
// Fix: The secondary command buffer sets it.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// EXIT any
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT});
  const VkCommandBuffer secondary = MakeSecondary();
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  const VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
#ifndef DEFECT
  vkCmdSetViewport(secondary, 0, 1, &viewport);
#endif
  vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  // @DRAW
  vkCmdDraw(secondary, 3, 1, 0, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdSetViewport(commands, 0, 1, &viewport);
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
