// Defect: vkCmdDrawMultiIndexedEXT draws with indices that were just filled, and nothing orders the
// two.
// Fix: A barrier makes the indices visible to the draws.
// EXPECT error missing-barrier vkCmdDrawMultiIndexedEXT at DRAW
// EXPECT-PARTY earlier-access at FILL
// EXPECT-FACT later_access=VK_ACCESS_2_INDEX_READ_BIT
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"

int main() {
  VkPhysicalDeviceMultiDrawFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT};
  features.multiDraw = VK_TRUE;
  Open({.extensions = {VK_EXT_MULTI_DRAW_EXTENSION_NAME}, .features = &features});
  const auto draw_all = reinterpret_cast<PFN_vkCmdDrawMultiIndexedEXT>(
      vkGetDeviceProcAddr(device, "vkCmdDrawMultiIndexedEXT"));
  NEEDS(draw_all != nullptr);
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline draws = MakeDraws(pass.pass, 0, layout, red_frag, sizeof(red_frag));
  const Buffer indices = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @FILL
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_INDEX_READ_BIT);
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT16);
  const VkMultiDrawIndexedInfoEXT both[2] = {{0, 3, 0}, {3, 3, 0}};
  // @DRAW
  draw_all(commands, 2, both, 1, 0, sizeof(both[0]), nullptr);
  vkCmdEndRenderPass(commands);
  Run();
  Close(draws, layout, indices, pass, image);
}
