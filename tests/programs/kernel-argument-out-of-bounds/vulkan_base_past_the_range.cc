// Defect: The workgroups of a dispatch with a base begin within the range of the descriptor and end
// past it.
// Fix: The range covers the last workgroup.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatchBase at PAST
// EXPECT-FACT descriptor_bytes=1280
// EXPECT-FACT first_byte=1024
// EXPECT-FACT outside_bytes=256
// EXPECT-TEXT of 2 x 1 x 1 \(from 4 x 0 x 0 on\) workgroups
// EXPECT-FACT vuid=VUID-vkCmdDispatchBase-storageBuffers-06936
#include "common/vulkan_tiles.h"

int main() {
  Open();
#ifdef DEFECT
  const Tiles tiles = MakeTiles(16, 5);
#else
  const Tiles tiles = MakeTiles(16, 6);
#endif
  Begin();
  Bind(tiles.compute);
  vkCmdDispatch(commands, 2, 1, 1);
  // @PAST
  vkCmdDispatchBase(commands, 4, 0, 0, 2, 1, 1);
  // Without a base again, it writes the first two tiles.
  const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                   VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  vkCmdDispatch(commands, 2, 1, 1);
  Run();
  Close(tiles);
}
