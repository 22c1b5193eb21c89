// Defect: A helper uploads data while its caller is inside a render pass.
// Fix: The upload is recorded before the render pass.
// EXPECT error command-buffer-in-use vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-renderpass
// EXIT any
#include "common/vulkan_pass.h"

static Buffer source, target;

static void Upload() {
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
}

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  source = MakeStaging(4096);
  target = MakeBuffer(4096);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
#ifndef DEFECT
  Upload();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT
  Upload();
#endif
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image, source, target);
}
