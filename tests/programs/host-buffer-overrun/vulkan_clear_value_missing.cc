// Defect: A render pass that clears its attachment is begun without a clear value: the driver reads
// past the end of the array.
// Fix: The clear value is passed.
// EXPECT error host-buffer-overrun vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-clearValueCount-00902
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
#ifdef DEFECT
  begin.clearValueCount = 0;
#endif
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image);
}
