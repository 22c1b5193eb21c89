// Defect: A barrier of synchronization2 is recorded on a device that was created without the
// feature synchronization2.
// Fix: The device is created with the feature.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier2 at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier2-synchronization2-03848
// EXIT any
#include "common/vulkan_events.h"

int main() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
#ifndef DEFECT
  features.synchronization2 = VK_TRUE;
#endif
  Open({.features = &features});
  const VkMemoryBarrier2 barrier = CopyBarrier2();
  const VkDependencyInfo dependency = DependencyOf(&barrier);
  Begin();
  // @BARRIER
  vkCmdPipelineBarrier2(commands, &dependency);
  OK(vkEndCommandBuffer(commands));
  Close();
}
