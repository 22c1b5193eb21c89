// Defect: A dependency of a subpass on itself is not for the same region only.
// Fix: It has VK_DEPENDENCY_BY_REGION_BIT.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkSubpassDependency-srcSubpass-02243
#include "common/vulkan_dependencies.h"

int main() {
  Open();
  VkSubpassDependency dependency = {};
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
#ifndef DEFECT
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
#endif
  const PassInfo given(dependency);
  VkRenderPass pass = VK_NULL_HANDLE;
  // @PASS
  OK(vkCreateRenderPass(device, &given.info, nullptr, &pass));
  Close(pass);
}
