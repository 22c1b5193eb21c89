// Defect: Destroys the framebuffer of a recorded render pass, as a resize of the window does, and submits the recording.
// Fix: Destroys the framebuffer after the submission is complete.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-TEXT framebuffer
// EXPECT-PARTY recorded at PASS
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXIT any
#include "common/vulkan_pass.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  Pass pass;
  pass.pass = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR);
  MakeFrame(image.handle, &pass);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @PASS
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
#ifdef DEFECT
  vkDestroyFramebuffer(device, pass.frame, nullptr);
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
  vkQueueWaitIdle(queue);
#ifndef DEFECT
  vkDestroyFramebuffer(device, pass.frame, nullptr);
#endif
  Close(pass.view, pass.pass, image);
}
