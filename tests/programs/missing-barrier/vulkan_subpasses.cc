// Defect: The second subpass uses what the first one wrote, and no dependency orders the accesses
// of both.
// Fix: A dependency of the second subpass on the first one names the stages and the accesses of
// both.
#include "common/vulkan_barriers.h"
#include "common/vulkan_depth.h"
#include "common/vulkan_subpasses.h"

// Defect: The second subpass reads as an input attachment what the first one cleared. Its layout
// changes between the two, and no dependency of the render pass puts that after the clear.
// Fix: The render pass has the dependency.
// EXPECT error missing-barrier vkCmdNextSubpass at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT add a dependency between the two to the render pass: .srcSubpass = 0, dstSubpass = 1,
static void SubpassWithoutDependency() {
  Open();
  const Image image = MakeImage(SubpassImage());
#ifdef DEFECT
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency();
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &dependency);
#endif
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @FIRST
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @SECOND
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}

// Defect: The dependency between the subpasses orders them, but has no access: what the first one
// cleared is not made available before the layout changes. The render pass is made by
// vkCreateRenderPass2.
// Fix: The dependency has the accesses.
// EXPECT error missing-barrier vkCmdNextSubpass at SECOND_2
// EXPECT-PARTY earlier-access at FIRST_2
// EXPECT-FACT hazard=WAW
static void SubpassDependencyWithoutAccess() {
  Open();
  const Image image = MakeImage(SubpassImage());
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#ifdef DEFECT
  dependency.srcAccessMask = 0;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = 0;
#else
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
#endif
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &dependency, Version::kSecond);
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @FIRST_2
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @SECOND_2
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}

// Defect: The dependency between the subpasses has its masks in a VkMemoryBarrier2, with stages but
// without accesses: what the first one cleared is not made available before the layout changes.
// Fix: The barrier has the accesses.
// EXPECT error missing-barrier vkCmdNextSubpass at SECOND_3
// EXPECT-PARTY earlier-access at FIRST_3
// EXPECT-FACT hazard=WAW
static void SubpassBarrierWithoutAccess() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Image image = MakeImage(SubpassImage());
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#ifdef DEFECT
  dependency.srcAccessMask = 0;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = 0;
#else
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
#endif
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kInput, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &dependency, Version::kBarriers);
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @FIRST_3
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @SECOND_3
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}

// Defect: Both subpasses write the same color attachment, in the same layout, and no dependency
// orders the two. The store of the second one also writes what its clear does not cover.
// Fix: A dependency orders the two. The second subpass clears twice, which needs no order within a
// subpass.
// EXPECT error missing-barrier vkCmdClearAttachments at SECOND_4
// EXPECT-PARTY earlier-access at FIRST_4
// EXPECT-FACT hazard=WAW
// EXPECT error missing-barrier vkCmdEndRenderPass at END
// EXPECT-PARTY earlier-access at FIRST_4
static void SubpassClearsOverAnother() {
  Open();
  const Image image = MakeImage(SubpassImage());
#ifdef DEFECT
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kColor, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, nullptr);
#else
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  const Pass pass =
      MakeSubpasses(image.handle, SecondUse::kColor, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, &dependency);
#endif
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @FIRST_4
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  VkClearAttachment part = {};
  part.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkClearRect rect = {{{4, 4}, {8, 8}}, 0, 1};
  // @SECOND_4
  vkCmdClearAttachments(commands, 1, &part, 1, &rect);
#ifndef DEFECT
  vkCmdClearAttachments(commands, 1, &part, 1, &rect);
#endif
  // @END
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}

// Defect: Two subpasses draw with a depth test and writes to the same attachment, and no dependency
// orders the two: the second test reads what a draw may have written, and its writes come after the
// load.
// Fix: A dependency from late to early tests orders the two.
// EXPECT warning missing-barrier vkCmdDraw at SECOND_5
// EXPECT-PARTY earlier-access at FIRST_5
// EXPECT-FACT hazard=RAW
// EXPECT error missing-barrier vkCmdDraw at SECOND_5
// EXPECT-PARTY earlier-access at LOAD
// EXPECT-FACT hazard=WAR
static void DepthOfTwoSubpasses() {
  Open();
  DepthWanted wanted;
  wanted.subpasses = 2;
#ifndef DEFECT
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  dependency.srcAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT;
  dependency.dstAccessMask =
      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  wanted.dependencies.push_back(dependency);
#endif
  const DepthPass pass = MakeDepthPass(wanted);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline first = MakeDepthDraws(pass, 0, layout);
  const VkPipeline second = MakeDepthDraws(pass, 1, layout);
  const VkRenderPassBeginInfo begin = DepthBegin(pass);
  Begin();
  // @LOAD
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
  // @FIRST_5
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
  // @SECOND_5
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Close(first, second, layout, pass);
}

int main() {
  SubpassWithoutDependency();
  SubpassDependencyWithoutAccess();
  SubpassBarrierWithoutAccess();
  SubpassClearsOverAnother();
  DepthOfTwoSubpasses();
}
