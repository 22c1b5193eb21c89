// The memory that a kernel reads, writes and updates atomically, derived from its machine code.
#pragma once

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/machine_code/cubin.h"

namespace gpusan::cuda {

// Returns the accesses of the kernel. Time and memory are limited: if the analysis exceeds a limit,
// the result says that the accesses are unknown. Thread-safe.
KernelAccess Summarize(const CubinKernel& kernel);

}  // namespace gpusan::cuda
