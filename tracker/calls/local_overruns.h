// Accesses of a launch behind the local memory that its arguments give it.
#pragma once

#include <cstdint>
#include <vector>

#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan {

// A kernel accesses local memory behind the end of an argument.
struct LocalOverrun {
  uint32_t argument = 0;  // index
  uint64_t bytes = 0;     // size of the argument
  int64_t last = 0;       // the byte in front of this one is surely accessed, from the pointer
  bool write = false;
};

// Returns the arguments that are local memory and of which the summary says that some work item
// surely accesses bytes behind the end. Takes the lock of the kernel.
std::vector<LocalOverrun> FindLocalOverruns(Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan
