// Narrows the arguments of a launch to what the summary of its kernel says.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/calls/operation.h"

namespace gpusan {

// Narrows one argument to its uses: the direction, the bytes, and whether the access is certain.
// Returns true if `more` is a further argument, for a parameter that is read and written in
// different ranges. If only a part of the bytes is surely accessed, the argument becomes that part.
bool RefineArgument(const LaunchUses& uses, LaunchArgument* argument, LaunchArgument* more);

// Sets the bytes to which the kernel may give values through the argument. Returns false, without
// effects, if a write has no range, or if it may leave memory that kernels find by its address.
bool BoundWrites(const LaunchUses& uses, LaunchArgument* argument, Launch* launch);

// Copies the result of the summary for an argument to the kind of its access.
inline void ApplySummary(const LaunchArgument& argument, AccessKind* kind) {
  if (argument.possible) kind->sureness = Sureness::kPossible;
  if (argument.somewhere) kind->sureness = Sureness::kSomewhere;
  if (argument.certain) {
    kind->sureness = argument.unwaited ? Sureness::kUnwaited : Sureness::kDerived;
    kind->may_offset = false;
  }
}

// Accesses through an argument that reach out of its resource.
struct LaunchOverrun {
  uint32_t argument = 0;  // index
  const Resource* resource = nullptr;
  uint64_t offset = 0;          // of the pointer in the resource [bytes]
  int64_t first = 0, last = 0;  // from the pointer: each byte of [first, last) is accessed
  bool gaps = false;            // only the first and the last byte of [first, last) are
  const char* verb = "reads";   // "accesses": by an atomic or volatile access
};
// Returns true if accesses that surely happen reach out of the resource of the argument.
bool FindOverrun(const LaunchUses& uses, const LaunchArgument& argument, LaunchOverrun* overrun);

// Narrows `arguments`, which follow from the declaration of the kernel, to what its summary says:
// the direction, the bytes, and whether the access is certain. May add arguments, for parameters
// that are read and written in different ranges. Corrects launch->writable_arguments. Adds to
// `overruns` what reaches out of the resources. Without a summary, nothing changes. Takes the lock
// of the kernel.
void RefineLaunch(Kernel& kernel, const LaunchShape& shape,
                  absl::InlinedVector<LaunchArgument, 8>* arguments, Launch* launch,
                  std::vector<LaunchOverrun>* overruns);

}  // namespace gpusan
