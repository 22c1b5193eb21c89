// Accesses of its kernel's summary that a launch surely executes.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan {

// Whether some work item of the launch surely executes the access, with the current arguments.
bool SurelyExecutes(const Kernel& kernel, const LaunchShape& shape, const SummaryAccess& access);

// Returns the indices of the arguments that are NULL, and through which some work item surely
// accesses memory. Takes the lock of the kernel if an argument is NULL.
std::vector<uint32_t> FindNullAccesses(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
