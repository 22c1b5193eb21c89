// Kernels that access memory through NULL, released objects or misaligned pointers, or past the end
// of local memory.
#pragma once

#include <cstdint>
#include <string>

#include "hooks/opencl/call/call.h"
#include "hooks/opencl/kernels/launch.h"
#include "hooks/opencl/kernels/launch_limits.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/objects/kernel.h"

namespace gpusan::opencl {

// Adds the finding that the argument `index` is a released memory object. Another object may have
// its handle now. `name`: the name of the argument. `resource`: nullptr if the storage of the
// shadow object was reused.
void ReportReplaced(ClCall& call, const Kernel& kernel, uint32_t index, const std::string& name,
                    const Resource* resource);

// Adds a finding for each argument that is NULL, and through which the code of the kernel surely
// accesses memory. Takes the lock of the kernel if there is such an argument.
void CheckNullPointers(ClCall& call, Kernel& kernel, const LaunchShape& shape);

// Adds a finding for each argument whose memory is at an address that is not aligned to the type to
// which the parameter points, if the code of the kernel surely accesses the argument.
void CheckAddresses(ClCall& call, const Kernel& kernel, const LaunchArguments& arguments);

// Adds a finding for each argument of local memory, and each variable in local memory, if the code
// of the kernel surely accesses bytes past its end. Takes the lock of the kernel if there is such
// an argument or variable.
void CheckLocalAccesses(ClCall& call, Kernel& kernel, const LaunchShape& shape,
                        const LaunchSizes& sizes);

}  // namespace gpusan::opencl
