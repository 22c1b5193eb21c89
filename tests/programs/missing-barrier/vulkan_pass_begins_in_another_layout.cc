// Defect: A render pass without dependencies changes the layout of a cleared image when it begins.
// The barrier behind the clear names the stage of color attachments, where no layout changes.
// Fix: The second scope of the barrier is all commands, and the change is part of a command.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT {srcSubpass = VK_SUBPASS_EXTERNAL, dstSubpass = 0, srcStageMask = 
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr, VK_IMAGE_LAYOUT_GENERAL);
  const VkClearColorValue black = {};
  Begin();
  const VkImageMemoryBarrier made =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &made);
  // @CLEAR
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
#ifdef DEFECT
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#else
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, stages,
                VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  // @PASS
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}
