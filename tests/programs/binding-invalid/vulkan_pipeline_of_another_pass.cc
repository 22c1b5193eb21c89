// Defect: A draw uses a pipeline that was created for a render pass whose attachment has another
// format.
// Fix: The pipeline is created for the render pass that it draws in.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-renderPass-02684
// EXIT any
#include "common/vulkan_deferred.h"

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkRenderPass other = MakeRenderPass(VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr,
                                            VK_IMAGE_LAYOUT_UNDEFINED, VK_FORMAT_R8G8B8A8_SRGB);
  const VkPipelineLayout layout = MakePipelineLayout();
  VkRenderPass drawn = pass.pass;
#ifdef DEFECT
  drawn = other;
#endif
  const VkPipeline pipeline = MakeDraws(drawn, 0, layout, red_frag, sizeof(red_frag));
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  OK(vkEndCommandBuffer(commands));
  Close(pipeline, layout, other, pass, image);
}
