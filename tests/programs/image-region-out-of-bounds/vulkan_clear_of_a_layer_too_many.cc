// Defect: vkCmdClearAttachments clears two layers in a render pass that draws to one.
// Fix: It clears the one layer.
// EXPECT error image-region-out-of-bounds vkCmdClearAttachments at CLEAR
// EXPECT-FACT vuid=VUID-vkCmdClearAttachments-pRects-06937
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                             VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue zero = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &zero);
  VkClearAttachment clear = {};
  clear.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  VkClearRect area = {{{0, 0}, {kPassSize, kPassSize}}, 0, 1};
#ifdef DEFECT
  area.layerCount = 2;
#endif
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @CLEAR
  vkCmdClearAttachments(commands, 1, &clear, 1, &area);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}
