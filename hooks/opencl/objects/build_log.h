// What the compiler or linker said about a program that could not be built.
#pragma once

#include <CL/cl.h>

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// The beginning of the build log of the first of the devices that failed: "the build log:" and
// whole lines, at most 12 and 1 KiB, the rest counted. `devices` may be nullptr: those of the
// program. Empty where the driver gives no log. Asks the driver, so only for calls that failed.
std::string BuildLogText(ClCall& call, cl_program program, cl_uint num_devices,
                         const cl_device_id* devices);

// The same for a log's text.
std::string BeginOfLog(std::string_view log);

}  // namespace gpusan::opencl
