// Clears, renderings and frames that use parts with nothing in common need no barrier.
#include "common/vulkan_compute.h"
#include "common/vulkan_pass.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_second_queue.h"

// Two clears inside of a render pass write the halves of its render area, which is the right half
// of the image. Without a barrier in between they are correct, since they touch different texels.
static void ClearsOfDisjointHalves() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  begin.renderArea = {{kPassSize / 2, 0}, {kPassSize / 2, kPassSize}};
  const VkImageMemoryBarrier writable = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
      VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  const VkClearAttachment attachment = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {}};
  const VkClearRect halves[] = {{{{8, 0}, {4, 16}}, 0, 1}, {{{12, 0}, {4, 16}}, 0, 1}};
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &writable);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdClearAttachments(commands, 1, &attachment, 2, halves);
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image);
}

// Each slice of a volume is rendered to by itself, one behind the other without a barrier, since
// they have nothing in common; then the volume is read.
static void SlicesAsAttachments() {
  OpenForRendering();
  constexpr uint32_t kSlices = 4;
  VkImageCreateInfo info = PassImage();
  info.imageType = VK_IMAGE_TYPE_3D;
  info.extent.depth = kSlices;
  info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
  const Image volume = MakeImage(info);
  const Buffer target = MakeBuffer(kPassSize * kPassSize * kSlices * 4);
  VkImageView slices[kSlices];
  for (uint32_t i = 0; i < kSlices; ++i) {
    const VkImageViewCreateInfo view =
        ViewInfo(volume.handle, kRenderingFormat, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, i, 1});
    OK(vkCreateImageView(device, &view, nullptr, &slices[i]));
  }
  Begin();
  const VkImageMemoryBarrier fresh = ImageBarrier(volume.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                                                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0,
                                                  VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &fresh);
  for (VkImageView slice : slices) {
    Rendering rendering = {};
    rendering.view = slice;
    BeginRendering(rendering, 0);
    vkCmdEndRendering(commands);
  }
  const VkImageMemoryBarrier readable = ImageBarrier(
      volume.handle, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &readable);
  VkBufferImageCopy region = {};
  region.imageSubresource = kFirst;
  region.imageExtent = {kPassSize, kPassSize, kSlices};
  vkCmdCopyImageToBuffer(commands, volume.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &region);
  Run();
  for (VkImageView slice : slices) vkDestroyImageView(device, slice, nullptr);
  Close(volume, target);
}

// One buffer holds what several frames use, and is bound as a whole: while a dispatch uses one part
// of it, others are filled by transfers, on its queue and on another one, and nothing is to be
// ordered.
static void PartsOfOneBuffer() {
  if (LacksTestDevice()) return;
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const uint32_t families[] = {family, SecondFamily()};
  const SecondQueue other = OpenSecondQueue();

  const Compute compute = MakeCompute();
  Buffer all;
  VkBufferCreateInfo shared = BufferInfo(16384, kStorage);
  shared.sharingMode = VK_SHARING_MODE_CONCURRENT;
  shared.queueFamilyIndexCount = 2;
  shared.pQueueFamilyIndices = families;
  OK(vkCreateBuffer(device, &shared, nullptr, &all.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, all.handle, &needs);
  all.memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, all.handle, all.memory, 0));
  const Buffer output = MakeBuffer(256, kStorage);
  SetBuffers(compute, all.handle, output.handle);

  Begin();
  vkCmdFillBuffer(commands, all.handle, 0, VK_WHOLE_SIZE, 1);
  Run();
  // 64 values at the start are read.
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 1, 1, 1);
  vkCmdFillBuffer(commands, all.handle, 4096, 4096, 2);
  OK(vkEndCommandBuffer(commands));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  OK(vkBeginCommandBuffer(other.commands, &begin));
  vkCmdFillBuffer(other.commands, all.handle, 8192, 4096, 3);
  OK(vkEndCommandBuffer(other.commands));
  VkSubmitInfo first = SubmitInfo(), second = SubmitInfo();
  second.pCommandBuffers = &other.commands;
  OK(vkQueueSubmit(queue, 1, &first, VK_NULL_HANDLE));
  OK(vkQueueSubmit(other.queue, 1, &second, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(other.pool, output, all, compute);
}

int main() {
  ClearsOfDisjointHalves();
  SlicesAsAttachments();
  PartsOfOneBuffer();
}
