// What a launch accesses through its arguments, by the summary of its kernel.
#pragma once

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tracker/calls/operation.h"
#include "tracker/model/kernel_summary.h"

namespace gpusan {

// The sizes of a launch. Dimensions that the launch does not have keep their initial values.
struct LaunchShape {
  uint64_t global_size[3] = {1, 1, 1};  // [work items]
  uint64_t global_offset[3] = {0, 0, 0};
  uint64_t local_size[3] = {1, 1, 1};  // 0: not known

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

// What is known of the reads, or of the writes, of a launch through one parameter.
struct LaunchUse {
  bool possible = false;  // there may be such accesses
  bool sure = false;      // at least one work item has one
  bool ranged = false;    // all of them are inside of [first, last)
  bool exact = false;     // each byte of [first, last) is accessed
  int64_t first = 0;      // from the pointer [bytes]
  int64_t last = 0;
};
struct LaunchUses {
  LaunchUse reads, writes;
  bool atomics = false;  // there may be atomic or volatile accesses, which are in neither
};

// Evaluates the accesses through a parameter whose summary is `known`. `arguments`: the values of
// the kernel's parameters.
LaunchUses UsesOf(const ParameterSummary& parameter, const LaunchShape& shape,
                  absl::Span<const KernelArgument> arguments);

// Narrows `arguments`, which follow from the declaration of the kernel, to what its summary says:
// the direction, the bytes, and whether the access is certain. May add arguments, for parameters
// that are read and written in different ranges. Corrects launch->writable_arguments. Without a
// summary, nothing changes. Takes the lock of the kernel.
void RefineLaunch(Kernel& kernel, const LaunchShape& shape,
                  absl::InlinedVector<LaunchArgument, 8>* arguments, Launch* launch);

}  // namespace gpusan
