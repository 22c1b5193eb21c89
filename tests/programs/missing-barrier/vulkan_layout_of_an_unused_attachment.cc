// Defect: The end of a render pass changes the layout of an attachment that no subpass uses, and
// nothing orders the clear of the image behind it.
// Fix: A barrier stands between the two.
// EXPECT error missing-barrier vkCmdClearColorImage at CLEAR
// EXPECT-PARTY earlier-access at END
// EXPECT-FACT hazard=WAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-WRITE
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakeUnusedPass(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @END
  vkCmdEndRenderPass(commands);
#ifndef DEFECT
  // No stage with a name makes the change: any first scope follows it.
  MemoryBarrier(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
#endif
  const VkClearColorValue black = {};
  // @CLEAR
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  Run();
  Close(pass, image);
}
