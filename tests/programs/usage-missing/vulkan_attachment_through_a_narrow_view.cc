// Defect: A rendering draws through a view that was created for sampling only.
// Fix: The view has all usages of the image.
// EXPECT error usage-missing vkCmdBeginRendering at BEGIN
// EXPECT-FACT vuid=VUID-VkRenderingInfo-colorAttachmentCount-06087
// EXPECT-TEXT but the view was created without VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
#include "common/vulkan_rendering.h"

int main() {
  OpenForRendering();
  VkImageCreateInfo image_info = PassImage();
  image_info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  Rendering rendering;
  rendering.image = MakeImage(image_info);
  StartAsAttachment(rendering.image.handle);
  VkImageViewUsageCreateInfo usage = {VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
#ifndef DEFECT
  usage.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
#endif
  VkImageViewCreateInfo view_info = ViewInfo(rendering.image.handle);
  view_info.pNext = &usage;
  OK(vkCreateImageView(device, &view_info, nullptr, &rendering.view));
  const VkRenderingAttachmentInfo color = ClearedColor(rendering);
  const VkRenderingInfo info = RenderingTo(color);
  Begin();
  // @BEGIN
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering.view, rendering.image);
}
