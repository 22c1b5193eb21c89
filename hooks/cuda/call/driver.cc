// See the header.
#include "hooks/cuda/call/driver.h"

namespace gpusan::cuda::driver_internal {

Hooks hooks;
std::atomic<void*> real[kSlotCount] = {};

}  // namespace gpusan::cuda::driver_internal
