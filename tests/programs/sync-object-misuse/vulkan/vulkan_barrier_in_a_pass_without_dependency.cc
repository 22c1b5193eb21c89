// Defect: A barrier is recorded inside a render pass that has no dependency from the subpass to
// itself.
// Fix: The barrier stands before the render pass.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-None-07889
#include "common/vulkan_pass.h"

static void Barrier() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
}

int main() {
  Open();
  const Image image = MakeImage(PassImage());
  const Buffer source = MakeStaging(4096), uniforms = MakeBuffer(4096);
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, source.handle, uniforms.handle, 1, &all);
#ifndef DEFECT
  Barrier();
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
#ifdef DEFECT
  Barrier();
#endif
  vkCmdEndRenderPass(commands);
  Run();
  Close(pass, image, source, uniforms);
}
