// Fuzz target: mangled names of kernels.
#include <cstddef>
#include <cstdint>
#include <string>

#include "hooks/cuda/types/kernel_types.h"
#include "hooks/cuda/types/numba_arguments.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A copy of that size, so that the sanitizer sees a read past the end.
  const std::string copy(reinterpret_cast<const char*>(data), size);
  gpusan::cuda::ReadKernelType(copy);
  gpusan::cuda::NumbaArgumentNames(copy, 14);
  return 0;
}
