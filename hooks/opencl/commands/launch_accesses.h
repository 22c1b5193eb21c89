// Kernels that access memory through NULL, or behind the end of local memory.
#pragma once

#include <string>

#include "hooks/opencl/call/call.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan::opencl {

// Adds a finding for each argument that is NULL, and through which the code of the kernel surely
// accesses memory. Takes the lock of the kernel if there is such an argument.
void CheckNullPointers(ClCall& call, Kernel& kernel, const LaunchShape& shape);

// Adds a finding for each argument of local memory behind whose end the code of the kernel surely
// accesses bytes. `size` describes the launch, as words.
void CheckLocalAccesses(ClCall& call, Kernel& kernel, const LaunchShape& shape,
                        const std::string& size);

}  // namespace gpusan::opencl
