// Defect: A dependency of a render pass with one subpass names the second subpass.
// Fix: It names VK_SUBPASS_EXTERNAL, for commands after the pass.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkRenderPassCreateInfo-pDependencies-06867
// EXIT any
#include "common/vulkan_dependencies.h"

int main() {
  Open();
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
#ifdef DEFECT
  dependency.dstSubpass = 1;
#endif
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  const PassInfo given(dependency);
  VkRenderPass pass = VK_NULL_HANDLE;
  // @PASS
  vkCreateRenderPass(device, &given.info, nullptr, &pass);
  Close(pass);
}
