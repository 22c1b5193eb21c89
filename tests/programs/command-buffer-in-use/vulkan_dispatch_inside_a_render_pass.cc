// Defect: A dispatch is recorded inside a render pass.
// Fix: It is recorded before the render pass.
// EXPECT error command-buffer-in-use vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-renderpass
// EXIT any
#include "common/vulkan_compute.h"
#include "common/vulkan_pass.h"

static void Dispatch() {
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
}

int main() {
  Open();
  const VkBufferUsageFlags usage = kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const Buffer input = MakeBuffer(4096, usage), output = MakeBuffer(4096, usage);
  const Compute compute = MakeCompute();
  SetBuffers(compute, input.handle, output.handle);
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  Bind(compute);
#ifndef DEFECT
  Dispatch();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT
  Dispatch();
#endif
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pass, image, compute, input, output);
}
