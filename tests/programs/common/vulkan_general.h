// An image in VK_IMAGE_LAYOUT_GENERAL that is the attachment of dynamic rendering.
#pragma once

#include "common/vulkan_rendering.h"

struct General {
  Image image;
  VkImageView view;
};

[[maybe_unused]] static General MakeGeneral() {
  General made;
  made.image = MakeImage(PassImage());
  made.view = ViewOf(made.image.handle, kRenderingFormat);
  Begin();
  const VkImageMemoryBarrier barrier =
      ImageBarrier(made.image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  Run();
  return made;
}

[[maybe_unused]] static VkRenderingAttachmentInfo GeneralAttachment(const General& general,
                                                                    VkAttachmentLoadOp load) {
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = general.view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  color.loadOp = load;
  color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  return color;
}

[[maybe_unused]] static void Destroy(const General& general) {
  vkDestroyImageView(device, general.view, nullptr);
  Destroy(general.image);
}
