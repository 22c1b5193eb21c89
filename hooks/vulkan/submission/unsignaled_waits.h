// Submitted work that stays for ever behind a semaphore which nothing signals.
//
// As long as the device lives, another thread of the program may still signal: nothing is claimed
// before it is too late for that. A wait of the host is not judged at all.
#pragma once

#include "hooks/vulkan/objects/devices.h"
#include "tracker/calls/call.h"

namespace gpusan::vulkan {

// No signal can come any more: the device is destroyed, or the process ends.
void CheckWaitsAtEnd(Call& call, Device& device);

}  // namespace gpusan::vulkan
