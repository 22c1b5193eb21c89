// The dispatch table of the OpenCL loader, with the function type cl_api_<name> of each row of
// entry_points.def. Headers since 2024 have other names for these types.
#pragma once

#include <CL/cl_gl.h>
#include <CL/cl_icd.h>

#define GPUSAN_CL_HANDLED(name) using cl_api_##name = decltype(cl_icd_dispatch::name);
#define GPUSAN_CL_PASS(name, reason) GPUSAN_CL_HANDLED(name)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
using cl_api_clCreateEventFromGLsyncKHR = decltype(&::clCreateEventFromGLsyncKHR);
