// Defect: One command draws twice without the feature multiDrawIndirect.
// Fix: The feature is enabled.
// EXPECT error usage-missing vkCmdDrawIndirect at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDrawIndirect-drawCount-02718
// EXIT any
#include "common/vulkan_features.h"

int main() {
#ifdef DEFECT
  OpenWithFeatures({});
#else
  OpenWithFeatures({&VkPhysicalDeviceFeatures::multiDrawIndirect});
#endif
  const Image image = MakeImage(PassImage());
  const VkImageViewCreateInfo view_info = ViewInfo(image.handle);
  VkImageView view;
  OK(vkCreateImageView(device, &view_info, nullptr, &view));
  const Buffer parameters =
      MakeBuffer(2 * sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  VkPipeline pipeline;
  {
    const DrawsInfo draws;
    OK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &draws.info, nullptr, &pipeline));
  }
  VkRenderingAttachmentInfo color = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = view;
  color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kPassSize, kPassSize};
  rendering.layerCount = rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &color;
  Begin();
  vkCmdBeginRendering(commands, &rendering);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  // @DRAW
  vkCmdDrawIndirect(commands, parameters.handle, 0, 2, sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pipeline, view, parameters, image);
}
