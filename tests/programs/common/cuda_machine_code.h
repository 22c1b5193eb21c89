// The kernels of cuda_code.h for programs of the CUDA driver.
#pragma once

#include "common/cuda.h"
#include "common/cuda_code.h"

// The kernel of this name (CODE_FILL and the like). A program uses these kernels or those of
// cuda_kernels.h, not both.
[[maybe_unused]] static CUfunction CodeKernel(const char* name) {
  if (!module_of_kernels) OK(cuModuleLoadData(&module_of_kernels, kCode));
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module_of_kernels, name));
  return kernel;
}

// An argument of CODE_EACH.
struct Array {
  CUdeviceptr data;
  long long bytes;
  int elements, stride;  // the stride in bytes
};

// The argument of CODE_TOTAL.
struct Total {
  CUdeviceptr in, sum, partial, arrived;
  int n;
};

// Arguments of CODE_LAYOUT and CODE_JOIN.
struct Divisor {
  unsigned size, factor, shift;
};
struct Layout {
  int dimensions;
  Divisor divisors[2];
  int strides[2];
};
struct Inputs {
  CUdeviceptr data[2];
  unsigned offsets[2], sizes[2];
};
