// Defect: Dynamic rendering executes a secondary command buffer that was begun for an attachment of
// another format.
// Fix: The inheritance info names the format of the attachment.
// EXPECT error binding-invalid vkCmdExecuteCommands at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdExecuteCommands-imageView-06028
// EXIT any
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const VkCommandBuffer secondary = MakeSecondary();
  VkFormat format = kRenderingFormat;
#ifdef DEFECT
  format = VK_FORMAT_R16G16B16A16_SFLOAT;
#endif
  VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  formats.pColorAttachmentFormats = &format;
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}
