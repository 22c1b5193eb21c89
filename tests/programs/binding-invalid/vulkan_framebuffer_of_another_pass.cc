// Defect: A render pass is begun with a framebuffer that was created for a render pass whose
// attachment has another format.
// Fix: The framebuffer's own render pass is begun.
// EXPECT error binding-invalid vkCmdBeginRenderPass at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderPassBeginInfo-renderPass-00904
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkRenderPass other = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                                            VK_IMAGE_LAYOUT_UNDEFINED, VK_FORMAT_R8G8B8A8_SRGB);
  const VkClearValue clear = {};
  VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
#ifdef DEFECT
  begin.renderPass = other;
#endif
  Begin();
  // @BEGIN
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(other, pass, image);
}
