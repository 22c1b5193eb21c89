// Defect of_another_stage: A dependency names the reads of a shader beside the stage that writes colors.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkSubpassDependency-dstAccessMask-00869
// Defect on_a_subpass_too_many: A dependency of a render pass with one subpass names the second subpass.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkRenderPassCreateInfo-pDependencies-06867
// EXIT any
// Defect with_copies_of_a_subpass: A dependency names copies as commands of its subpass.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkRenderPassCreateInfo-pDependencies-00837
// Fix: Shaders of commands after the pass (VK_SUBPASS_EXTERNAL) read the colors that the pass writes.
#include "common/vulkan_dependencies.h"

int main() {
  Open();
  VkSubpassDependency dependency = {};
  dependency.dstSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
#ifdef DEFECT_of_another_stage
  dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#elif defined(DEFECT_on_a_subpass_too_many)
  dependency.dstSubpass = 1;
#elif defined(DEFECT_with_copies_of_a_subpass)
  dependency.srcStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  dependency.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
#endif
  const PassInfo given(dependency);
  VkRenderPass pass = VK_NULL_HANDLE;
  // @PASS
  vkCreateRenderPass(device, &given.info, nullptr, &pass);
  Close(pass);
}
