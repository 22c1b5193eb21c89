// The bytes that a launch updates, by the summary of its kernel.
//
// An update reads the old value: a sum, a counter, a maximum, or a value that each work item loads,
// changes and stores. A summary that lists updates has two parameters for each of the kernel: those
// of the first half are the parameters, and those of the second half hold the updates through them.
// An atomic update is a read. An update in place is a read and a write; there are such writes only
// if each write through the parameter is after a read of the same bytes by the same work item.
#pragma once

#include "tracker/calls/launch_uses.h"
#include "tracker/calls/operation.h"

namespace gpusan {

struct UpdatedBytes {
  Region bytes;           // of the argument's resource; empty: none are known
  bool anywhere = false;  // some of `bytes` are updated. False: each of them
  bool in_place = false;  // some updates are not atomic
};

inline bool HasUpdates(const Kernel& kernel) {
  return kernel.summary != nullptr && kernel.summary->parameters.size() > kernel.arguments.size();
}

// Returns the bytes of the argument's resource that the launch surely updates before it may write
// them otherwise. `uses` and `updates` are those of the argument.
UpdatedBytes SurelyUpdated(const LaunchUses& uses, const LaunchUses& updates,
                           const LaunchArgument& argument);

// The same for a kernel that HasUpdates. Takes the lock of the kernel.
UpdatedBytes SurelyUpdated(Kernel& kernel, const LaunchShape& shape,
                           const LaunchArgument& argument);

}  // namespace gpusan
