// The driver's real functions, and what layer/ supplies to the CUDA hooks.
#include "hooks/cuda/call/driver.h"

namespace gpusan::cuda::driver_internal {

Hooks hooks;
std::atomic<void*> real[kSlotCount] = {};

}  // namespace gpusan::cuda::driver_internal
