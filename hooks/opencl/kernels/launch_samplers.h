// Kernels that read images with samplers that the functions do not support.
#pragma once

#include "hooks/opencl/call/call.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan::opencl {

// Returns the image that the argument names, if the summary of the kernel has accesses to its
// texels; else nullptr. Requires a summary with that many parameters.
const Resource* ImageOfTexels(const Kernel& kernel, uint32_t index);

// Reports each image argument from which the code of the kernel surely reads with a sampler, and
// with samplers only for which the values that the function returns are undefined. Queries the
// driver about samplers that are arguments.
void CheckSamplers(ClCall& call, const Kernel& kernel, const LaunchShape& shape);

}  // namespace gpusan::opencl
