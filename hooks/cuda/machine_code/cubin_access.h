// Which memory a kernel reads, writes and changes atomically, derived from its machine code.
#pragma once

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/machine_code/cubin.h"

namespace gpusan::cuda {

// Any thread. Bounded time and memory: a kernel beyond the limits stays unknown.
KernelAccess Summarize(const CubinKernel& kernel);

}  // namespace gpusan::cuda
