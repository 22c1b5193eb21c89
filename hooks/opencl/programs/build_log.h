// Excerpts of build logs, for findings about programs that fail to build.
#pragma once

#include <CL/cl.h>

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Returns the beginning of the build log of the first device whose build failed: "the build log:"
// and whole lines, at most 12 lines and 1 KiB, then the number of lines left out. `devices` may be
// nullptr: the devices of the program. Empty if the driver has no log. Calls the driver: use it
// only for calls that failed.
std::string BuildLogText(ClCall& call, cl_program program, cl_uint num_devices,
                         const cl_device_id* devices);

// Returns why the program has no executable: it was never built, or its build failed or is not
// complete. Empty if the driver does not say so. Calls the driver: use it only for calls that
// failed.
std::string NoExecutableText(ClCall& call, cl_program program);

// The same as BuildLogText for the text of one log.
std::string BeginOfLog(std::string_view log);

}  // namespace gpusan::opencl
