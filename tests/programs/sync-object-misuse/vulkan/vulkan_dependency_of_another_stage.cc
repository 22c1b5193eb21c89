// Defect: A dependency names the reads of a shader beside the stage that writes colors.
// Fix: It names the stage of the shader.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkSubpassDependency-dstAccessMask-00869
#include "common/vulkan_dependencies.h"

int main() {
  Open();
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
#ifdef DEFECT
  dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#endif
  dependency.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  const PassInfo given(dependency);
  VkRenderPass pass = VK_NULL_HANDLE;
  // @PASS
  OK(vkCreateRenderPass(device, &given.info, nullptr, &pass));
  Close(pass);
}
