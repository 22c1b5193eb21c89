// Kernels that read or write an image by a function for other formats, or outside of the image, or
// that read unwritten texels.
#pragma once

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/commands/launch_limits.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan::opencl {

// Reports each image argument from which the code of the kernel surely reads numbers, or into which
// it writes some, of another type than its format has, and never those of the right type. Reports
// each image argument outside of which the kernel surely accesses a texel. `sizes` are those of
// the launch. Takes the lock of the kernel.
void CheckTexels(ClCall& call, Kernel& kernel, const LaunchShape& shape, const LaunchSizes& sizes);

// Reports an image argument of which the kernel surely reads texels that nothing has written, while
// other texels were written. Reports nothing if the call has findings. Takes the lock of the
// kernel.
void CheckUnwrittenTexels(ClCall& call, Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan::opencl
