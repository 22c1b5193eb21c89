// Defect: A barrier makes the copy visible to shaders, but names the stage of the copy as its
// destination: no copy makes that access, so that nothing becomes visible to the shaders.
// Fix: The stage of the shaders is the destination.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-dstAccessMask-02816
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  VkPipelineStageFlags readers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
#ifdef DEFECT
  readers = VK_PIPELINE_STAGE_TRANSFER_BIT;
#endif
  Begin();
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, readers, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
  Run();
  Close(source, target);
}
