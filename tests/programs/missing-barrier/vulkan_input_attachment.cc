// Defect: Draws read as an input attachment what was written before, and nothing orders the two.
// Fix: A dependency or a barrier orders the two.
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"
#include "common/vulkan_secondary.h"

// Defect: The second subpass reads as an input attachment what the first one cleared and drew. No
// layout changes, and no dependency of the render pass makes what was written visible.
// Fix: The render pass has a dependency by region, as tilers need it.
// EXPECT error missing-barrier vkCmdDraw at READ
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=RAW
static void InputAttachment() {
#ifdef DEFECT
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 0, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency(VK_DEPENDENCY_BY_REGION_BIT);
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_CLEAR, 1, &dependency);
#endif
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  // @CLEAR
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  BindFirst(deferred);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  BindSecond(deferred);
  // @READ
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(deferred);
}

// Defect: The second subpass reads as an input attachment what a draw of the first one may have
// written, and no dependency orders the two. The severity is warning: whether a draw writes
// anything is unknown.
// Fix: The render pass has the dependency.
// EXPECT warning missing-barrier vkCmdDraw at READ_2
// EXPECT-PARTY earlier-access at DRAW_2
// EXPECT-FACT hazard=RAW
static void InputAttachmentOfADraw() {
#ifdef DEFECT
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 0, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency(VK_DEPENDENCY_BY_REGION_BIT);
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 1, &dependency);
#endif
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  BindFirst(deferred);
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  BindSecond(deferred);
  // @READ_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(deferred);
}

// Defect: A draw reads as an input attachment what the draw before it wrote in the same subpass.
// Rasterization order does not order reads of input attachments. The severity is warning: whether a
// draw writes anything is unknown.
// Fix: A barrier inside of the subpass stands between the two draws.
// EXPECT warning missing-barrier vkCmdDraw at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
static void InputAttachmentOfItsOwnDraws() {
  VkImageCreateInfo image_info = PassImage();
  image_info.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  const Image image = MakeImage(image_info);
  VkAttachmentDescription attachment = {};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass = {};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = subpass.inputAttachmentCount = 1;
  subpass.pColorAttachments = subpass.pInputAttachments = &reference;
  VkSubpassDependency itself = {};
  itself.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  itself.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  itself.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  itself.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  itself.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  VkRenderPassCreateInfo info = {VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = info.subpassCount = info.dependencyCount = 1;
  info.pAttachments = &attachment;
  info.pSubpasses = &subpass;
  info.pDependencies = &itself;
  Pass pass;
  OK(vkCreateRenderPass(device, &info, nullptr, &pass.pass));
  MakeFrame(image.handle, &pass);

  VkDescriptorSetLayoutBinding binding = {};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
  const VkDescriptorSetLayout set_layout = MakeSetLayout(1, &binding);
  const VkPipelineLayout layout = MakePipelineLayout(set_layout);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1};
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  VkDescriptorPool set_pool;
  OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &set_pool));
  const VkDescriptorSet set = AllocateSet(set_pool, set_layout);
  const VkDescriptorImageInfo input = {VK_NULL_HANDLE, pass.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  write.pImageInfo = &input;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  const VkPipeline draws = MakeDraws(pass.pass, 0, layout, red_frag, sizeof(red_frag));
  const VkPipeline swaps = MakeDraws(pass.pass, 0, layout, swap_frag, sizeof(swap_frag));

  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  // @FIRST
  vkCmdDraw(commands, 3, 1, 0, 0);
#ifndef DEFECT
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = itself.srcAccessMask;
  barrier.dstAccessMask = itself.dstAccessMask;
  vkCmdPipelineBarrier(commands, itself.srcStageMask, itself.dstStageMask,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, swaps);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0,
                          nullptr);
  // @SECOND
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(draws, swaps, set_pool, layout, set_layout, pass, image);
}

// Defect: Both subpasses are recorded in secondary command buffers, which know the render pass and
// not its framebuffer. The second one reads as an input attachment what a draw of the first one may
// have written, and no dependency orders the two.
// Fix: A dependency by region orders the draw of the first subpass and the read of the second one.
// EXPECT warning missing-barrier vkCmdDraw at READ_3
// EXPECT-PARTY earlier-access at DRAW
// EXPECT-FACT hazard=RAW
static void DrawsOfSecondaryBuffers() {
#ifdef DEFECT
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 0, nullptr);
#else
  const VkSubpassDependency dependency = InputDependency(VK_DEPENDENCY_BY_REGION_BIT);
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 1, &dependency);
#endif
  const VkCommandBuffer first = MakeSecondary(), second = MakeSecondary();
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.renderPass = deferred.pass;
  BeginSecondary(first, inheritance);
  vkCmdBindPipeline(first, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.draws);
  // @DRAW
  vkCmdDraw(first, 3, 1, 0, 0);
  OK(vkEndCommandBuffer(first));
  inheritance.subpass = 1;
  BeginSecondary(second, inheritance);
  vkCmdBindPipeline(second, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.swaps);
  vkCmdBindDescriptorSets(second, VK_PIPELINE_BIND_POINT_GRAPHICS, deferred.layout, 0, 1,
                          &deferred.set, 0, nullptr);
  // @READ_3
  vkCmdDraw(second, 3, 1, 0, 0);
  OK(vkEndCommandBuffer(second));
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 1, &first);
  vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  vkCmdExecuteCommands(commands, 1, &second);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(deferred);
}

int main() {
  Open();
  InputAttachment();
  InputAttachmentOfADraw();
  InputAttachmentOfItsOwnDraws();
  DrawsOfSecondaryBuffers();
  Close();
}
