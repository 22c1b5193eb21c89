// Kernels that access an image by a function for other formats, access texels outside of an image,
// or read unwritten texels.
#pragma once

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/kernels/launch_limits.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan::opencl {

// Reports each image argument that the kernel surely reads or writes by a function for another type
// than that of its format, if the kernel never uses a function for the right type. Reports each
// image argument outside of which the kernel surely accesses a texel. `sizes` are those of the
// launch. Takes the lock of the kernel.
void CheckTexels(ClCall& call, Kernel& kernel, const LaunchShape& shape, const LaunchSizes& sizes);

// Reports an image argument if the kernel surely reads unwritten texels of it and other texels of
// it were written. Reports nothing if the call has findings. Takes the lock of the kernel.
void CheckUnwrittenTexels(ClCall& call, Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan::opencl
