// Programs that were built for some devices of their context only.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// clBuildProgram has succeeded for these devices; NULL: for all of the program. Thread-safe.
void NoteBuild(ClCall& call, const PlainObject& program, cl_uint count,
               const cl_device_id* devices);

// Notes in a new kernel whether its program was built for some devices only. A program with kernels
// cannot be built again (OpenCL 3.0 §5.8.4). Thread-safe.
void NotePartialBuild(Kernel& kernel);

// Whether CheckBuilt has something to do.
inline bool MayLackBuild(const Kernel& kernel, const Queue& queue) {
  return kernel.partly_built && kernel.built_device != queue.device;
}
// Checks that the program of the kernel was built for the device of the queue. Asks the driver if
// the program was built for some devices only. Thread-safe.
void CheckBuilt(ClCall& call, const Queue& queue, Kernel& kernel);

}  // namespace gpusan::opencl
