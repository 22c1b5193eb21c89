// Defect beyond_its_dependency: A barrier inside a render pass orders fragment shaders, but the
// dependency of the subpass to itself orders color attachments only.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-None-07889
// Defect without_dependency: A barrier is recorded inside a render pass that has no dependency from
// the subpass to itself.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER_2
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-None-07889
// Defect of_compute: A barrier inside a render pass names the stage of compute shaders.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER_3
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-None-07892
// EXIT any
// Fix: The barrier is within the dependency of the subpass on itself.
#include "common/vulkan_pass.h"

// Fix: The barrier names the stages of the dependency.
static void BeyondItsDependency() {
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
#ifdef DEFECT_beyond_its_dependency
  behind |= VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
#endif
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, behind,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass, image);
}

// Fix: The barrier stands before the render pass.
static void Barrier() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  // @BARRIER_2
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
}

static void WithoutDependency() {
  const Image image = MakeImage(PassImage());
  const Buffer source = MakeStaging(4096), uniforms = MakeBuffer(4096);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, source.handle, uniforms.handle, 1, &all);
#ifndef DEFECT_without_dependency
  Barrier();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT_without_dependency
  Barrier();
#endif
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass, image, source, uniforms);
}

// Fix: It names stages of graphics.
static void OfCompute() {
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
#ifdef DEFECT_of_compute
  writers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
#endif
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @BARRIER_3
  vkCmdPipelineBarrier(commands, writers, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(pass, image);
}

int main() {
  Open();
  BeyondItsDependency();
  WithoutDependency();
  OfCompute();
  Close();
}
