// Defect: In dynamic rendering a draw uses a pipeline that was created for an attachment of another
// format.
// Fix: The pipeline names the format of the attachment.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08910
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  VkFormat format = kRenderingFormat;
#ifdef DEFECT
  format = VK_FORMAT_R16G16B16A16_SFLOAT;
#endif
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &format;
  const VkPipeline pipeline =
      MakeDraws(VK_NULL_HANDLE, 0, rendering.layout, red_frag, sizeof(red_frag), &formats);
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pipeline, rendering);
}
