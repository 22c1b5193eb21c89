// Defect: Clears an image and loads it by a rendering, without a barrier between the two.
// Fix: A barrier before the rendering orders the two.
// EXPECT error missing-barrier vkCmdBeginRendering at LOAD
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT record a barrier before vkCmdBeginRendering: vkCmdPipelineBarrier with
#include "common/vulkan_barriers.h"
#include "common/vulkan_general.h"

int main() {
  OpenForRendering();
  const General general = MakeGeneral();
  const VkClearColorValue black = {};
  Begin();
  // @CLEAR
  vkCmdClearColorImage(commands, general.image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
#endif
  const VkRenderingAttachmentInfo color = GeneralAttachment(general, VK_ATTACHMENT_LOAD_OP_LOAD);
  const VkRenderingInfo info = RenderingTo(color);
  // @LOAD
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  Run();
  Close(general);
}
