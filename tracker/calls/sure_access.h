// Whether a launch surely executes an access of its kernel's summary.
#pragma once

#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan {

// Whether some work item of the launch surely executes the access, with the current arguments.
bool SurelyExecutes(const Kernel& kernel, const LaunchShape& shape, const SummaryAccess& access);

}  // namespace gpusan
