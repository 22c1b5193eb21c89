// A launch asks for more shared memory than a block may have without asking for more.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  const unsigned bytes = 96 << 10;
  // @HERE
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, bytes, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
