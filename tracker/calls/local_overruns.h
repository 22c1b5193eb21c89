// Accesses of a launch past the local memory that its arguments give it, or that its code
// declares.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan {

// A kernel accesses local memory behind the end of an argument or of an array.
struct LocalOverrun {
  uint32_t argument = 0;  // index
  uint64_t bytes = 0;     // size of the argument or array
  int64_t last = 0;       // the byte in front of this one is surely accessed, from the begin on
  bool write = false;
  const LocalArraySummary* array = nullptr;  // nullptr: an argument
};

// Whether the kernel may have such accesses.
inline bool UsesLocalMemory(const Kernel& kernel) {
  return kernel.local_bytes != 0 ||
         (kernel.summary != nullptr && !kernel.summary->local_arrays.empty());
}

// Returns the arguments and arrays that are local memory and of which the summary says that some
// work item surely accesses bytes past the end. Takes the lock of the kernel.
std::vector<LocalOverrun> FindLocalOverruns(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
