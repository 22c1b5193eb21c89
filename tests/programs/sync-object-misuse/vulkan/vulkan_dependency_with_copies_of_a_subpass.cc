// Defect: A dependency names copies as commands of its subpass.
// Fix: The copies are before the pass.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkRenderPassCreateInfo-pDependencies-00837
#include "common/vulkan_dependencies.h"

int main() {
  Open();
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
#ifdef DEFECT
  dependency.srcSubpass = 0;
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
#endif
  dependency.srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependency.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  const PassInfo given(dependency);
  VkRenderPass pass = VK_NULL_HANDLE;
  // @PASS
  OK(vkCreateRenderPass(device, &given.info, nullptr, &pass));
  Close(pass);
}
