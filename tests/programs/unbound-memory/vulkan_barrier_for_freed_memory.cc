// Defect: Frees the memory of a buffer between the recording and the submission of a barrier for it.
// Fix: Frees the memory after the barrier.
// EXPECT error unbound-memory vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT-PARTY release at FREE
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  Begin();
  VkBufferMemoryBarrier barrier = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.buffer = buffer.handle;
  barrier.size = VK_WHOLE_SIZE;
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &barrier, 0, nullptr);
#ifdef DEFECT
  // @FREE
  vkFreeMemory(device, buffer.memory, nullptr);
#endif
  Run();
#ifndef DEFECT
  vkFreeMemory(device, buffer.memory, nullptr);
#endif
  Close(buffer.handle);
}
