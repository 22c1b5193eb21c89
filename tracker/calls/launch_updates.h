// The bytes that a launch updates atomically, by the summary of its kernel.
//
// An update reads the old value: a sum, a counter, a maximum. A summary that lists updates has two
// parameters for each of the kernel: those of the first half are the parameters, and those of the
// second half hold the updates through them, as reads.
#pragma once

#include "tracker/calls/launch_uses.h"
#include "tracker/calls/operation.h"

namespace gpusan {

inline bool HasUpdates(const Kernel& kernel) {
  return kernel.summary != nullptr && kernel.summary->parameters.size() > kernel.arguments.size();
}

// Returns the bytes of the argument's resource that the launch surely updates before it may write
// them otherwise; empty: none are known. The first one is surely updated, and the code may update
// fewer than all. `uses` and `updates` are those of the argument.
Region SurelyUpdated(const LaunchUses& uses, const LaunchUses& updates,
                     const LaunchArgument& argument);

// The same for a kernel that HasUpdates. Takes the lock of the kernel.
Region SurelyUpdated(Kernel& kernel, const LaunchShape& shape, const LaunchArgument& argument);

}  // namespace gpusan
