// Defect: A barrier that transfers a buffer to another queue family names the stage of the host.
// Fix: It names the stage of the copy before.
// EXPECT error queue-ownership vkCmdPipelineBarrier at RELEASE
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-srcStageMask-09634
#include "common/vulkan.h"

int main() {
  Wanted wanted;
  wanted.second_family = true;
  Open(wanted);
  const Buffer buffer = MakeStaging(4096);
  VkBufferMemoryBarrier release = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  release.srcQueueFamilyIndex = family;
  release.dstQueueFamilyIndex = SecondFamily();
  release.buffer = buffer.handle;
  release.size = VK_WHOLE_SIZE;
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
#ifdef DEFECT
  stages = VK_PIPELINE_STAGE_HOST_BIT;
#endif
  Begin();
  // @RELEASE
  vkCmdPipelineBarrier(commands, stages, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 1,
                       &release, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
  Close(buffer);
}
