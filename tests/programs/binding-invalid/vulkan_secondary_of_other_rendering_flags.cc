// Defect: A rendering that is suspended executes a secondary command buffer whose inheritance info
// lacks VK_RENDERING_SUSPENDING_BIT.
// Fix: The inheritance info has the flags of the rendering.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-flags-06026
// EXIT any
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer secondary = MakeSecondary();
  VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
#ifndef DEFECT
  formats.flags = VK_RENDERING_SUSPENDING_BIT;
#endif
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT |
                                VK_RENDERING_SUSPENDING_BIT);
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
