// The ways to put the wrappers of OpenCL entry points in front of the real functions: the table of
// the loader's layer and the look-up of symbols. The exported symbols are in layer/.
#pragma once

#include <CL/cl_layer.h>
#include "hooks/opencl/words/dispatch_table.h"

#include "hooks/opencl/call/attach_path.h"

namespace gpusan::opencl {

// Initialises gpusan as a layer of the loader: keeps the loader's functions and returns the table
// with the wrappers. `entries` and `entries_ret` are the arguments of clInitLayer.
const cl_icd_dispatch* AttachAsLayer(cl_uint entries, const cl_icd_dispatch* target,
                                     cl_uint* entries_ret);

// Returns the wrapper for `real`, the address of `name` in some library. Returns nullptr if the
// name has no row, or if the symbol paths hold other libraries' functions of that name: then the
// program should get `real`. Thread-safe.
void* WrapperForSymbol(const char* name, void* real);

// Drops the real functions of libraries that were unloaded; the wrappers look them up again. Takes
// no lock; does not touch the functions of libraries that are loaded.
void ForgetUnloadedFunctions();

}  // namespace gpusan::opencl
