// Defect: A launch asks for more threads in a block than the device has.
// Fix: A launch asks for as many threads in a block as the device has.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE
// EXPECT-TEXT 1024
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const unsigned threads = 2048;
#else
  const unsigned threads = 1024;
#endif
  // @HERE
  cuLaunchKernel(nothing, 1, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
