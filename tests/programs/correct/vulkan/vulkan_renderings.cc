// Dynamic rendering is suspended and resumed.
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

// Dynamic rendering that is suspended in one command buffer and resumed in the next, with samples that
// are resolved when it ends; what was resolved is then read.
static VkImageView MakeView(VkImage image, VkImageAspectFlags aspects, VkFormat format) {
  VkImageViewCreateInfo info = ViewInfo(image, format, {aspects, 0, 1, 0, 1});
  VkImageView view;
  OK(vkCreateImageView(device, &info, nullptr, &view));
  return view;
}

static void RenderingInPieces() {
  VkImageCreateInfo info = PassImage();
  const Image resolved = MakeImage(info);
  info.samples = VK_SAMPLE_COUNT_4_BIT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  const Image samples = MakeImage(info);
  VkImageCreateInfo depth_info = ImageInfo(kPassSize, kPassSize, VK_FORMAT_D32_SFLOAT_S8_UINT);
  depth_info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  depth_info.samples = VK_SAMPLE_COUNT_4_BIT;
  const Image depth = MakeImage(depth_info);
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const VkImageView views[] = {
      MakeView(resolved.handle, VK_IMAGE_ASPECT_COLOR_BIT, kRenderingFormat),
      MakeView(samples.handle, VK_IMAGE_ASPECT_COLOR_BIT, kRenderingFormat),
      MakeView(depth.handle, kBoth, VK_FORMAT_D32_SFLOAT_S8_UINT)};
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);

  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = views[1];
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = views[0];
  color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  VkRenderingAttachmentInfo depths = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  depths.imageView = views[2];
  depths.imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  depths.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  depths.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kPassSize, kPassSize};
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &color;
  rendering.pDepthAttachment = rendering.pStencilAttachment = &depths;

  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 2;
  VkCommandBuffer pieces[3] = {commands};
  OK(vkAllocateCommandBuffers(device, &allocate, &pieces[1]));
  const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  const VkClearRect rect = {{{0, 0}, {kPassSize / 2, kPassSize}}, 0, 1};
  for (int i = 0; i < 3; ++i) {
    commands = pieces[i];
    Begin();
    if (i == 0) {
      VkImageMemoryBarrier barriers[3];
      for (int j = 0; j < 3; ++j) {
        const VkImage image = j == 0 ? resolved.handle : j == 1 ? samples.handle : depth.handle;
        barriers[j] = ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED,
                                   j == 2 ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
                                          : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                   0,
                                   j == 2 ? VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                                VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT
                                          : VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
        if (j == 2) barriers[j].subresourceRange.aspectMask = kBoth;
      }
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                           VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                               VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |
                               VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                           0, 0, nullptr, 0, nullptr, 3, barriers);
    }
    rendering.flags = (i > 0 ? VK_RENDERING_RESUMING_BIT : 0) |
                      (i < 2 ? VK_RENDERING_SUSPENDING_BIT : 0);
    vkCmdBeginRendering(commands, &rendering);
    vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
    vkCmdEndRendering(commands);
    if (i == 2) {
      const VkImageMemoryBarrier readable = ImageBarrier(
          resolved.handle, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
          VK_ACCESS_TRANSFER_READ_BIT);
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &readable);
      VkBufferImageCopy region = {};
      region.imageSubresource = kFirst;
      region.imageExtent = {kPassSize, kPassSize, 1};
      vkCmdCopyImageToBuffer(commands, resolved.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                             target.handle, 1, &region);
    }
    OK(vkEndCommandBuffer(commands));
  }
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 3;
  submit.pCommandBuffers = pieces;
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  for (VkImageView view : views) vkDestroyImageView(device, view, nullptr);
  for (const Image& image : {resolved, samples, depth}) Destroy(image);
  Destroy(target);
}

// Suspended renderings: three parts in one command buffer; parts that are recorded in another order than they are
// submitted in, and submitted again; parts in secondary command buffers; a part that is resumed in front of a rendering of
// its own; and parts that are recorded and never submitted, or recorded anew.
static Rendering rendering;

static void Order() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
}

// `ordered`: behind earlier work.
static void Record(VkCommandBuffer to, bool ordered, const std::vector<VkRenderingFlags>& parts) {
  commands = to;
  Begin();
  if (ordered) Order();
  for (const VkRenderingFlags flags : parts) RecordPart(rendering, flags);
  OK(vkEndCommandBuffer(commands));
}

static VkCommandBuffer RecordSecondary(VkRenderingFlags flags) {
  const VkCommandBuffer made = MakeSecondary();
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(made, &begin));
  const VkCommandBuffer primary = commands;
  commands = made;
  RecordPart(rendering, flags);
  OK(vkEndCommandBuffer(commands));
  commands = primary;
  return made;
}

static void RenderingsSuspendedAndResumed() {
  constexpr VkRenderingFlags kSuspend = VK_RENDERING_SUSPENDING_BIT, kResume = VK_RENDERING_RESUMING_BIT;
  rendering = MakeRendering();
  const VkCommandBuffer first = commands, second = MakePrimary(), third = MakePrimary();
  Record(first, true, {kSuspend, kResume | kSuspend, kResume});
  SubmitParts({first});
  OK(vkQueueWaitIdle(queue));

  Record(third, false, {kResume});
  Record(first, true, {kSuspend});
  Record(second, false, {kResume | kSuspend});
  for (int i = 0; i < 2; ++i) {
    SubmitParts({first, second, third});
    OK(vkQueueWaitIdle(queue));
  }

  const VkCommandBuffer parts[2] = {RecordSecondary(kSuspend), RecordSecondary(kResume)};
  commands = first;
  Begin();
  Order();
  vkCmdExecuteCommands(commands, 1, &parts[0]);
  vkCmdExecuteCommands(commands, 1, &parts[1]);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({first});
  OK(vkQueueWaitIdle(queue));

  // The second one resumes, and renders once more behind a barrier.
  Record(first, true, {kSuspend});
  commands = second;
  Begin();
  RecordPart(rendering, kResume);
  Order();
  RecordPart(rendering, 0);
  OK(vkEndCommandBuffer(commands));
  SubmitParts({first, second});
  OK(vkQueueWaitIdle(queue));

  Record(third, true, {kResume});
  Record(third, true, {kSuspend});
  Record(third, true, {0});
  SubmitParts({third});
  OK(vkQueueWaitIdle(queue));
  Record(third, true, {kSuspend});
  Destroy(rendering);
}

int main() {
  OpenForRendering();
  RenderingInPieces();
  RenderingsSuspendedAndResumed();
  Close();
}
