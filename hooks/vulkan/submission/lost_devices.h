// A device that is lost: what it had in flight is told once, and nothing that it does not do any
// more is judged.
#pragma once

namespace gpusan::vulkan {

class VkCall;

// The call of a device's has returned VK_ERROR_DEVICE_LOST: all that was submitted counts as
// complete then (Vulkan 1.3 §5.2.3). Only the first such call of a device is told.
void OnDeviceLost(VkCall& call);

}  // namespace gpusan::vulkan
