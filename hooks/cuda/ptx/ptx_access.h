// The memory that the kernels of a PTX text read, write and update atomically.
//
// The driver compiles such a text to machine code that gpusan does not see. The summary has the
// same meaning as that of machine code (analysis/kernel_access.h) and rests on the same
// assumptions. Its code offsets are bytes of the text.
#pragma once

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/ptx/module.h"

namespace gpusan::cuda {

KernelAccess Summarize(const PtxModule& module, const PtxKernel& kernel);

}  // namespace gpusan::cuda
