// Defect of_another_stage: A dependency names the reads of a shader beside the stage that writes
// colors.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkSubpassDependency-dstAccessMask-00869
// Defect on_a_subpass_too_many: A dependency of a render pass with one subpass names the second
// subpass.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkRenderPassCreateInfo-pDependencies-06867
// EXIT any
// Defect with_copies_of_a_subpass: A dependency names copies as commands of its subpass.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS
// EXPECT-FACT vuid=VUID-VkRenderPassCreateInfo-pDependencies-00837
// Defect on_itself_for_all_regions: A dependency of a subpass on itself is not for the same region
// only.
// EXPECT error sync-object-misuse vkCreateRenderPass at PASS_2
// EXPECT-FACT vuid=VUID-VkSubpassDependency-srcSubpass-02243
// Fix: The dependency names the accesses of its stages, and is for the same region.
#include "common/vulkan.h"

// A pass that clears its only attachment. Not copyable, because its parts point to each other.
struct PassInfo {
  explicit PassInfo(const VkSubpassDependency& given) : dependency(given) {
    attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
    info.attachmentCount = info.subpassCount = info.dependencyCount = 1;
    info.pAttachments = &attachment;
    info.pSubpasses = &subpass;
    info.pDependencies = &dependency;
  }
  PassInfo(const PassInfo&) = delete;
  PassInfo& operator=(const PassInfo&) = delete;

  VkSubpassDependency dependency;
  VkAttachmentDescription attachment = {};
  VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass = {};
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
};

// Fix: Shaders of commands after the pass (VK_SUBPASS_EXTERNAL) read the colors that the pass
// writes.
static void Dependency() {
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
  Destroy(pass);
}

// Fix: It has VK_DEPENDENCY_BY_REGION_BIT.
static void OnItselfForAllRegions() {
  VkSubpassDependency dependency = {};
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
#ifndef DEFECT_on_itself_for_all_regions
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
#endif
  const PassInfo given(dependency);
  VkRenderPass pass = VK_NULL_HANDLE;
  // @PASS_2
  OK(vkCreateRenderPass(device, &given.info, nullptr, &pass));
  Destroy(pass);
}

int main() {
  Open();
  Dependency();
  OnItselfForAllRegions();
  Close();
}
