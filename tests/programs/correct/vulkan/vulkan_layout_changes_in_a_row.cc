// The layout of an image changes twice with nothing between, by barriers and by a render pass, and
// the second change names nothing that is before it: on one queue such changes go by in their order
// (Vulkan 1.3 §7.1.1).
#include "common/vulkan_pass.h"

namespace {

void Change(VkPipelineStageFlags from, VkPipelineStageFlags to, VkImageMemoryBarrier barrier) {
  vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

}  // namespace

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Buffer target = MakeStaging(4 * kPassSize * kPassSize);
  constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                          kTo = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          kFrom = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  constexpr VkPipelineStageFlags kNothing = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                 kDraws = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                 kCopies = VK_PIPELINE_STAGE_TRANSFER_BIT;
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo info = PassBegin(pass, &clear);
  Begin();
  Change(kNothing, kDraws,
         ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, kColor, 0,
                      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT));
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  Change(kDraws, kCopies,
         ImageBarrier(image.handle, kColor, kTo, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0));
  Change(kNothing, kCopies, ImageBarrier(image.handle, kTo, kFrom, 0, VK_ACCESS_TRANSFER_READ_BIT));
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {kPassSize, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, image.handle, kFrom, target.handle, 1, &region);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo submit = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkDeviceWaitIdle(device));
  Close(pass, image, target);
}
