// The accesses that follow from a kernel's arguments, shared by enqueued and recorded launches.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/call.h"
#include "tracker/calls/refine_launch.h"

namespace gpusan::opencl {

using LaunchArguments = absl::InlinedVector<LaunchArgument, 8>;

// Appends the resources of the kernel's arguments to `arguments`. Adds findings for released
// objects, and for objects of another context than that of `queue` (nullptr: not known). Sets those
// fields of `launch` that follow from the arguments, except its span of them.
void CollectArguments(ClCall& call, const Queue* queue, Kernel& kernel, LaunchArguments* arguments,
                      Launch* launch);

// Whether one image is an argument of two parameters, at least one of which writes it and another
// one reads it. Touches only the arguments.
bool MixesImages(const Kernel& kernel);
// Adds a finding for each such image.
void CheckImages(ClCall& call, const Kernel& kernel);

// Checks the local memory of the arguments against that of the queue's device. Queries the driver.
void CheckLocalMemory(ClCall& call, const Queue& queue, Kernel& kernel);

// Sets the fields of `launch` that follow from the sizes of the call. `global_size` may be nullptr.
void CollectSizes(cl_uint dimensions, const size_t* global_offset, const size_t* global_size,
                  Launch* launch);

// Sets the sizes of the call in `*shape`, which is newly constructed, for RefineLaunch. Pointers
// may be nullptr.
inline void SetShape(cl_uint dimensions, const size_t* global_offset, const size_t* global_size,
                     const size_t* local_size, LaunchShape* shape) {
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    shape->global_size[i] = global_size != nullptr ? global_size[i] : 0;
    shape->global_offset[i] = global_offset != nullptr ? global_offset[i] : 0;
    shape->local_size[i] = local_size != nullptr ? local_size[i] : 0;
  }
}

}  // namespace gpusan::opencl
