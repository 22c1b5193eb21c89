// Two clears inside of a render pass write the halves of its render area, which is the right half
// of the image. Without a barrier in between they are correct, since they touch different texels.
#include "common/vulkan_pass.h"

int main() {
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
