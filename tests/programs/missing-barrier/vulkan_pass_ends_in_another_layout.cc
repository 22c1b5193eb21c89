// Defect: A render pass without dependencies changes the layout of its image when it ends. The
// barrier in front of the next use names the stage of color attachments, where no layout changes.
// Fix: The first scope of the barrier is all commands, and the change is part of a command.
// EXPECT error missing-barrier vkCmdClearColorImage at CLEAR
// EXPECT-PARTY earlier-access at PASS
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT the layout changes after all stages of the render pass
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                             VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkClearValue white = {};
  const VkClearColorValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &white);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @PASS
  vkCmdEndRenderPass(commands);
#ifdef DEFECT
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#else
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
#endif
  MemoryBarrier(stages, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT);
  // @CLEAR
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
  Run();
  Close(pass, image);
}
