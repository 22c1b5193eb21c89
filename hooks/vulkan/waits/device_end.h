// The end of a device: vkDestroyDevice, and the end of the process for devices that are alive then.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// Reports the waits of all devices that no signal can end any more, when the process ends.
void AtProcessEnd(Tracker& tracker);

struct DestroyDevice {
  static void Around(VkCall& call, VkDevice device, const VkAllocationCallbacks* allocator);
};

}  // namespace gpusan::vulkan
