// Whether a driver returns one handle for live objects of several devices.
#pragma once

#include <atomic>

namespace gpusan::vulkan {

// True after that happened: the device that an object belongs to is then unknown. Never becomes
// false.
extern std::atomic<bool> shares_handles;

}  // namespace gpusan::vulkan
