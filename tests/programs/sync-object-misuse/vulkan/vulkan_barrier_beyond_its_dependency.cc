// Defect: A barrier inside a render pass orders fragment shaders, but the dependency of the subpass
// to itself orders color attachments only.
// Fix: The barrier names the stages of the dependency.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-None-07889
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  VkSubpassDependency dependency = {};
  dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask =
      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, &dependency, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  VkPipelineStageFlags behind = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#ifdef DEFECT
  behind |= VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
#endif
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, behind,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}
