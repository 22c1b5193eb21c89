// Defect: A launch over no element at all: a grid must have at least one block.
// Fix: A launch over one block.
// EXPECT warning call-failed cuLaunchKernel CUDA_ERROR_INVALID_VALUE at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
#ifdef DEFECT
  const int elements = 0;
#else
  const int elements = 1;
#endif
  // @HERE
  cuLaunchKernel(nothing, (elements + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
