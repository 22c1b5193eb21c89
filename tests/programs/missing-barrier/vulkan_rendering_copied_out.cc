// Defect: Copies what a rendering has stored, without a barrier between the two.
// Fix: A barrier behind the rendering orders the two.
// EXPECT error missing-barrier vkCmdCopyImageToBuffer at COPY
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT record a barrier after vkCmdEndRendering: vkCmdPipelineBarrier with
#include "common/vulkan_barriers.h"
#include "common/vulkan_general.h"

int main() {
  OpenForRendering();
  const General general = MakeGeneral();
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
  Begin();
  const VkRenderingAttachmentInfo color = GeneralAttachment(general, VK_ATTACHMENT_LOAD_OP_CLEAR);
  const VkRenderingInfo info = RenderingTo(color);
  vkCmdBeginRendering(commands, &info);
  // @END
  vkCmdEndRendering(commands);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {kPassSize, kPassSize, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, general.image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1,
                         &all);
  Run();
  Close(general, target);
}
