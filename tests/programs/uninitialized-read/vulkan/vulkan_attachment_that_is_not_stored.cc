// Defect: The store operation of a render pass discards the color attachment, which is copied to a
// buffer after the pass.
// Fix: The render pass stores the attachment.
// EXPECT warning uninitialized-read vkCmdCopyImageToBuffer at COPY
// EXPECT-PARTY end-of-pass at END
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
#ifdef DEFECT
  constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_DONT_CARE;
#else
  constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_STORE;
#endif
  VkSubpassDependency behind = {};
  behind.dstSubpass = VK_SUBPASS_EXTERNAL;
  behind.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  behind.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  behind.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  behind.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, &behind, VK_IMAGE_LAYOUT_UNDEFINED,
               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, kStore);
  const VkClearValue black = {};
  Begin();
  const VkRenderPassBeginInfo begin = PassBegin(pass, &black);
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  // @END
  vkCmdEndRenderPass(commands);
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {kPassSize, kPassSize, 1};
  // @COPY
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         target.handle, 1, &all);
  Run();
  Close(pass, image, target);
}
