// Defect formats: Dynamic rendering executes a secondary command buffer that was begun for an attachment of another format.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-imageView-06028
// Defect rendering_flags: A rendering that is suspended executes a secondary command buffer whose inheritance info lacks
// VK_RENDERING_SUSPENDING_BIT.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-flags-06026
// Fix: The inheritance info has the format of the attachment and the flags of the rendering.
// EXIT any
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer secondary = MakeSecondary();
  VkFormat format = kRenderingFormat;
  VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  formats.pColorAttachmentFormats = &format;
  formats.flags = VK_RENDERING_SUSPENDING_BIT;
#ifdef DEFECT_formats
  format = VK_FORMAT_R16G16B16A16_SFLOAT;
#elif defined(DEFECT_rendering_flags)
  formats.flags = 0;
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
