// The accesses of launches without findings, for launches that repeat them.
#pragma once

#include <memory>

#include "tracker/calls/kept_launches.h"
#include "tracker/calls/operation.h"

namespace gpusan {

// Keeps the accesses of a launch for launches that repeat it. `launch` has the arguments that
// RefineLaunch has narrowed, and no finding. Keeps nothing if an argument needs checks each time.
// Takes the lock of the kernel.
void KeepPattern(Kernel& kernel, const LaunchShape& shape, const Launch& launch);

// Returns the launch that a launch with the current arguments repeats, if its pattern is kept, and
// if no rule but a race can report it. Otherwise nullptr. `context` is that of the queue. Requires
// the lock of the kernel; valid until it is released.
const KeptLaunch* FindRepeated(const Kernel& kernel, const LaunchShape& shape,
                               const Object* context);

// As FindRepeated. Takes the lock of the kernel.
std::shared_ptr<const KeptLaunch> HoldRepeated(const Kernel& kernel, const LaunchShape& shape,
                                               const Object* context);

}  // namespace gpusan
