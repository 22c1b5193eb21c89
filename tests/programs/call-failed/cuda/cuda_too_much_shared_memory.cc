// Defect: A launch asks for more shared memory than a block may have without asking for more.
// Fix: A launch asks for shared memory that a block may have.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned bytes = 96 << 10;
#else
  const unsigned bytes = 48 << 10;
#endif
  // @HERE
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, bytes, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
