// Defect: A render pass changes the layout of an attachment that no subpass uses, right after the
// image was cleared.
// Fix: A barrier stands between the two.
// EXPECT error missing-barrier vkCmdEndRenderPass at END
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=WAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakeUnusedPass(image.handle, VK_IMAGE_LAYOUT_GENERAL,
                                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  Begin();
  const VkImageMemoryBarrier general =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &general);
  const VkClearColorValue black = {};
  // @CLEAR
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @END
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}
