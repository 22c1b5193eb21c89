// What a kernel's arguments mean for a launch, shared by enqueued and recorded launches.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

using LaunchArguments = absl::InlinedVector<LaunchArgument, 8>;

// Adds findings for objects that are no longer there, and for those of another context than
// `queue`'s (nullptr: not known). Fills in of the launch what follows from the arguments, but not
// its span.
void CollectArguments(ClCall& call, const Queue* queue, Kernel& kernel, LaunchArguments* arguments,
                      Launch* launch);

// The same for the sizes that the call gives. `global_size` may be nullptr.
void CollectSizes(cl_uint dimensions, const size_t* global_offset, const size_t* global_size,
                  Launch* launch);

}  // namespace gpusan::opencl
