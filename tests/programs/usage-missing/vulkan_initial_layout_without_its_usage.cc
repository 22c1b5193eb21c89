// Defect: A render pass begins with its attachment in a layout for copies from it, but the image
// was created without that usage.
// Fix: create the image with the usage.
// EXPECT error usage-missing vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-vkCmdBeginRenderPass-initialLayout-00898
#include "common/vulkan_pass.h"

int main() {
  Open();
  VkImageCreateInfo info = PassImage();
#ifdef DEFECT
  info.usage &= ~VkImageUsageFlags{VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
#endif
  const Image image = MakeImage(info);
  const Pass pass = MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_LOAD, nullptr,
                             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}
