// Kernels that read or write an image by a function for other formats.
#pragma once

#include "hooks/opencl/call/call.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan::opencl {

// Reports each image argument from which the code of the kernel surely reads numbers, or into which
// it writes some, of another type than its format has, and never those of the right type.
void CheckTexels(ClCall& call, const Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan::opencl
