// Defect: A rendering is resumed with a smaller render area.
// Fix: Both parts have the same render area.
// EXPECT error command-buffer-in-use vkCmdBeginRendering at RESUME
// EXPECT-TEXT resumes a rendering
// EXIT any
#include "common/vulkan_suspended.h"

static void Record(const Rendering& rendering, VkRenderingFlags flags, uint32_t width) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = rendering.view;
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  // Without a clear its value does not count.
  color.clearValue.color.uint32[0] = width + static_cast<uint32_t>(flags);
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.flags = flags;
  info.renderArea.extent = {width, kPassSize};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  // @RESUME
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

int main() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  Begin();
  Record(rendering, VK_RENDERING_SUSPENDING_BIT, kPassSize);
#ifdef DEFECT
  Record(rendering, VK_RENDERING_RESUMING_BIT, kPassSize / 2);
#else
  Record(rendering, VK_RENDERING_RESUMING_BIT, kPassSize);
#endif
  OK(vkEndCommandBuffer(commands));
  SubmitParts({commands});
  OK(vkQueueWaitIdle(queue));
  Close(rendering);
}
