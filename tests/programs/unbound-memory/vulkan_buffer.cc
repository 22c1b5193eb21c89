// Defect: Commands use a buffer that has no memory, or no memory any more.
// Fix: The buffer has memory until the submission is complete.
#include "common/vulkan.h"

// Defect: Records a copy into a buffer that was never given memory, and does not submit it.
// Fix: The buffer has memory before it is used.
// EXPECT error unbound-memory vkCmdCopyBuffer at COPY
static void CopyToUnboundBuffer() {
  const Buffer staging = MakeStaging(4096);
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
#ifndef DEFECT
  const VkDeviceMemory memory = Allocate(needs, 0);
  OK(vkBindBufferMemory(device, buffer, memory, 0));
#endif
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, buffer, 1, &all);
#ifdef DEFECT
  OK(vkEndCommandBuffer(commands));
  vkDestroyBuffer(device, buffer, nullptr);
#else
  Run();
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
#endif
  Destroy(staging);
}

// Defect: Frees the memory of a buffer between the recording and the submission of a barrier for it.
// Fix: Frees the memory after the barrier.
// EXPECT error unbound-memory vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pCommandBuffers-00070
// EXPECT-PARTY release at FREE
static void BarrierForFreedMemory() {
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
  Destroy(buffer.handle);
}

int main() {
  Open();
  CopyToUnboundBuffer();
  BarrierForFreedMemory();
  Close();
}
