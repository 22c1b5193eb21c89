// Defect: The second barrier of a command begins with the stage in which the first one ends, as if
// it continued the first one. Barriers of one command are independent.
// Fix: Each barrier is a command of its own.
// EXPECT error missing-barrier vkCmdFillBuffer at FILL
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT hazard=WAR
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  VkBufferMemoryBarrier2 barriers[2] = {{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2},
                                        {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2}};
  for (VkBufferMemoryBarrier2& barrier : barriers) {
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.buffer = a.handle;
    barrier.size = VK_WHOLE_SIZE;
  }
  barriers[0].srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barriers[0].dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  barriers[1].srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  barriers[1].dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT;
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  Begin();
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
#ifdef DEFECT
  info.bufferMemoryBarrierCount = 2;
  info.pBufferMemoryBarriers = barriers;
  vkCmdPipelineBarrier2(commands, &info);
#else
  info.bufferMemoryBarrierCount = 1;
  for (const VkBufferMemoryBarrier2& barrier : barriers) {
    info.pBufferMemoryBarriers = &barrier;
    vkCmdPipelineBarrier2(commands, &info);
  }
#endif
  // @FILL
  vkCmdFillBuffer(commands, a.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Close(a, b);
}
