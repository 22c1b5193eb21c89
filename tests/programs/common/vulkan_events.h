// Events that commands set and wait for.
#pragma once

#include "common/vulkan.h"

// With the functions of synchronization2.
[[maybe_unused]] static void OpenForDependencies() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
}

[[maybe_unused]] static VkEvent MakeEvent() {
  const VkEventCreateInfo info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  OK(vkCreateEvent(device, &info, nullptr, &event));
  return event;
}

// Two copies, one behind the other.
struct Chain {
  Buffer first, second, third;
};
[[maybe_unused]] static Chain MakeChain() {
  return {MakeStaging(4096), MakeBuffer(4096), MakeBuffer(4096)};
}
[[maybe_unused]] static void Destroy(const Chain& chain) {
  Destroy(chain.first);
  Destroy(chain.second);
  Destroy(chain.third);
}

// What the second copy reads becomes visible to it.
[[maybe_unused]] static VkMemoryBarrier CopyBarrier() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  return barrier;
}
// The same for synchronization2.
[[maybe_unused]] static VkMemoryBarrier2 CopyBarrier2() {
  VkMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
  return barrier;
}
[[maybe_unused]] static VkDependencyInfo DependencyOf(const VkMemoryBarrier2* barrier) {
  VkDependencyInfo dependency = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = barrier;
  return dependency;
}
