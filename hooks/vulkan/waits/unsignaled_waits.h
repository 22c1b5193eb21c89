// Submitted work that waits for ever for a semaphore which nothing signals.
//
// As long as the device lives, another thread of the program may still signal: nothing is reported
// before that. Waits of the host are in endless_host_waits.h.
#pragma once

#include "hooks/vulkan/objects/devices.h"
#include "tracker/calls/call.h"

namespace gpusan::vulkan {

// Reports the parked batches of the device. Called when no signal can follow: the device is
// destroyed, or the process ends.
void CheckWaitsAtEnd(Call& call, Device& device);

}  // namespace gpusan::vulkan
