// An attachment whose content the store operation makes undefined, and which is copied to a buffer:
// a render pass clears and stores it in between, and a later one that does not store it covers a
// part, beside which the copy reads.
#include "common/vulkan_barriers.h"
#include "common/vulkan_rendering.h"

static void Render(VkImageView view, uint32_t size, VkAttachmentStoreOp store) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = store;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {size, size};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  vkCmdBeginRendering(commands, &info);
  vkCmdEndRendering(commands);
}

static void OrderAll() {
  MemoryBarrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

int main() {
  OpenForRendering();
  const Image image = MakeImage(PassImage());
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle, kRenderingFormat);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const Buffer target = MakeBuffer(kPassSize * kPassSize * 4);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  Render(view, kPassSize, VK_ATTACHMENT_STORE_OP_DONT_CARE);
  OrderAll();
  Render(view, kPassSize, VK_ATTACHMENT_STORE_OP_STORE);
  OrderAll();
  Render(view, kPassSize / 2, VK_ATTACHMENT_STORE_OP_DONT_CARE);
  OrderAll();
  VkBufferImageCopy rest = {};
  rest.imageSubresource = kFirst;
  rest.imageOffset = {kPassSize / 2, 0, 0};
  rest.imageExtent = {kPassSize / 2, kPassSize, 1};
  vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, target.handle, 1, &rest);
  Run();
  Close(view, image, target);
}
