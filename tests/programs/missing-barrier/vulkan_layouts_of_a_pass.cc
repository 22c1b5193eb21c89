// Defect: A render pass changes the layout of an attachment at its begin or end, and nothing orders
// the change and the commands outside.
// Fix: A dependency of the render pass, or a barrier, orders the two.
#include "common/vulkan_barriers.h"
#include "common/vulkan_pass.h"

// Defect: A render pass without dependencies changes the layout of a cleared image when it begins.
// The barrier behind the clear names the stage of color attachments, where no layout changes.
// Fix: The second scope of the barrier is all commands, and the change is part of a command.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS
// EXPECT-PARTY earlier-access at CLEAR
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT {srcSubpass = VK_SUBPASS_EXTERNAL, dstSubpass = 0, srcStageMask = 
static void PassBeginsInAnotherLayout() {
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr, VK_IMAGE_LAYOUT_GENERAL);
  const VkClearColorValue black = {};
  Begin();
  const VkImageMemoryBarrier made =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &made);
  // @CLEAR
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
#ifdef DEFECT
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#else
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, stages,
                VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  // @PASS
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass, image);
}

// Defect: A render pass without dependencies changes the layout of its image when it ends. The
// barrier in front of the next use names the stage of color attachments, where no layout changes.
// Fix: The first scope of the barrier is all commands, and the change is part of a command.
// EXPECT error missing-barrier vkCmdClearColorImage at CLEAR_2
// EXPECT-PARTY earlier-access at PASS_2
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT the layout changes after all stages of the render pass
static void PassEndsInAnotherLayout() {
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                             VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
  const VkClearValue white = {};
  const VkClearColorValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &white);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @PASS_2
  vkCmdEndRenderPass(commands);
#ifdef DEFECT
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#else
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
#endif
  MemoryBarrier(stages, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT);
  // @CLEAR_2
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
  Run();
  Destroy(pass, image);
}

// Defect: A render pass changes the layout of an attachment that no subpass uses, right after the
// image was cleared.
// Fix: A barrier stands between the two.
// EXPECT error missing-barrier vkCmdEndRenderPass at END
// EXPECT-PARTY earlier-access at CLEAR_3
// EXPECT-FACT hazard=WAW
static void AttachmentThatNoSubpassUses() {
  const Image image = MakeImage(PassImage());
  const Pass pass = MakeUnusedPass(image.handle, VK_IMAGE_LAYOUT_GENERAL,
                                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  Begin();
  const VkImageMemoryBarrier general =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &general);
  const VkClearColorValue black = {};
  // @CLEAR_3
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &kWhole);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @END
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass, image);
}

// Defect: The end of a render pass changes the layout of an attachment that no subpass uses, and
// nothing orders the clear of the image behind it.
// Fix: A barrier stands between the two.
// EXPECT error missing-barrier vkCmdClearColorImage at CLEAR_4
// EXPECT-PARTY earlier-access at END_2
// EXPECT-FACT hazard=WAW
// EXPECT-FACT sync_hazard=SYNC-HAZARD-WRITE-AFTER-WRITE
static void LayoutOfAnUnusedAttachment() {
  const Image image = MakeImage(PassImage());
  const Pass pass = MakeUnusedPass(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  const VkClearValue unused = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &unused);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @END_2
  vkCmdEndRenderPass(commands);
#ifndef DEFECT
  // No stage with a name makes the change: any first scope follows it.
  MemoryBarrier(VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
#endif
  const VkClearColorValue black = {};
  // @CLEAR_4
  vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  Run();
  Destroy(pass, image);
}

// Defect: The second render pass loads what the first one stored. They come after each other in one
// command buffer, and nothing orders them: a render pass has no dependency on what is before it but
// those that it is made with.
// Fix: The second render pass is made with a dependency on what is before it, whose second scope
// has its load.
// EXPECT error missing-barrier vkCmdBeginRenderPass at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT add a dependency on earlier commands to the render pass: {srcSubpass = VK_SUBPASS_EXTERNAL, dstSubpass = 0, srcStageMask = 
static void PassLoadsWhatAPassStored() {
  const Image image = MakeImage(PassImage());
#ifdef DEFECT
  const Pass clears = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr);
  const Pass loads = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr);
#else
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstAccessMask =
      VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  const Pass clears = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr);
  const Pass loads = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, &dependency);
#endif
  const VkClearValue black = {};
  Begin();
  const VkImageMemoryBarrier barrier = ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                                    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
                                                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  VkRenderPassBeginInfo begin = PassBegin(clears, &black);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @FIRST
  vkCmdEndRenderPass(commands);
  begin = PassBegin(loads, &black);
  // @SECOND
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(clears, loads, image);
}

// Defect: The barrier that changes the layout for a render pass has TOP_OF_PIPE in its second scope,
// as has the next one: they order the pass after the change, but no access of it.
// Fix: The second scope is the access of the pass.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS_6
// EXPECT-PARTY earlier-access at LAYOUT
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT the second scope of the dependency includes no access
// EXPECT-TEXT in dstStageMask, and VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT in dstAccessMask, of that vkCmdPipelineBarrier
static void ChangeWithoutSecondScope() {
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr);
  const VkClearValue black = {};
  Begin();
#ifdef DEFECT
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
  const VkAccessFlags access = 0;
#else
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  const VkAccessFlags access = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
#endif
  const VkImageMemoryBarrier change =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                   0, access);
  // @LAYOUT
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stages, 0, 0, nullptr, 0,
                       nullptr, 1, &change);
  MemoryBarrier(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  // @PASS_6
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass, image);
}

// Defect: The dependency of a render pass on what is before it does not include the stage in which
// the pass clears the attachment whose layout it changes.
// Fix: Its second scope has that stage.
// EXPECT error missing-barrier vkCmdBeginRenderPass at PASS_7
// EXPECT-FACT hazard=WAW
// EXPECT-TEXT vkCmdBeginRenderPass changes the layout of image .* and then writes it, but the dependency after the change does not cover it
static void PassClearsBesideItsChange() {
  const Image image = MakeImage(PassImage());
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
#ifdef DEFECT
  dependency.dstStageMask = VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  dependency.dstAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
#else
  dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
#endif
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, &dependency,
                             VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue black = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  Begin();
  // @PASS_7
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Run();
  Destroy(pass, image);
}

int main() {
  Open();
  PassBeginsInAnotherLayout();
  PassEndsInAnotherLayout();
  AttachmentThatNoSubpassUses();
  LayoutOfAnUnusedAttachment();
  PassLoadsWhatAPassStored();
  ChangeWithoutSecondScope();
  PassClearsBesideItsChange();
  Close();
}
