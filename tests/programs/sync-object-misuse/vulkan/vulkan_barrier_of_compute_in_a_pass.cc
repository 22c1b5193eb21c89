// Defect: A barrier inside a render pass names the stage of compute shaders.
// Fix: It names stages of graphics.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-None-07892
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  VkSubpassDependency itself = {};
  itself.srcStageMask = itself.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  itself.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  itself.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  itself.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, &itself, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  VkPipelineStageFlags writers = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
#ifdef DEFECT
  writers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
#endif
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @BARRIER
  vkCmdPipelineBarrier(commands, writers, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}
