// Why the driver rejected the sizes or arguments of a launch. Calls the driver: use it only for
// launches that failed.
#pragma once

#include <string>

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// The sizes of a launch as the program passed them. Pointers may be nullptr.
struct LaunchSizes {
  cl_uint dimensions = 0;
  const size_t* global = nullptr;
  const size_t* local = nullptr;
  const size_t* offset = nullptr;  // global
};

// Returns the rule that the launch breaks, with the limit and the value: "local_work_size 8192 has
// 8192 work-items, more than CL_KERNEL_WORK_GROUP_SIZE, 4096". Empty if none is found.
std::string LaunchReason(const ClCall& call, const Queue& queue, const Kernel& kernel, cl_int code,
                         const LaunchSizes& sizes);

// "64 x 4", or "NULL".
std::string SizesText(cl_uint dimensions, const size_t* sizes);

// Checks that offset and size of a launch do not exceed size_t together. Drivers compute such sums
// without a check.
void CheckOffsets(ClCall& call, const Kernel& kernel, cl_uint dimensions,
                  const size_t* global_offset, const size_t* global_size);

}  // namespace gpusan::opencl
