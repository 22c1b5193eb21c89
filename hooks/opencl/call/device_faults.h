// Device faults: a command failed on the device, and the driver returns an error code from a later
// call. OpenCL defines no code for such a fault.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Reports a device fault if `code`, with which the call returned, is one. Returns false, without
// effects, otherwise. The finding about the first fault of the process names the pending commands;
// later codes are counted under it. Requires that no finding explains the code. Thread-safe.
//
// Measured with NVIDIA's driver 580: after a fault clFinish returns CL_INVALID_COMMAND_QUEUE,
// blocking reads return CL_OUT_OF_RESOURCES, and waits for events the code of the fault: -9999 for
// an illegal address, CL_OUT_OF_RESOURCES for a trap. Launches and creations succeed.
bool ReportDeviceFault(ClCall& call, cl_int code);

}  // namespace gpusan::opencl
