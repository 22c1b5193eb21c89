// Defect: A barrier of synchronization2 is recorded on a device that was created without the
// feature synchronization2.
// Fix: The device is created with the feature.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier2 at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier2-synchronization2-03848
// EXIT any
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
#ifndef DEFECT
  features.synchronization2 = VK_TRUE;
#endif
  Open({.features = &features});
  VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
  VkDependencyInfo dependency = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  Begin();
  // @BARRIER
  vkCmdPipelineBarrier2(commands, &dependency);
  OK(vkEndCommandBuffer(commands));
  Close();
}
