// A launch asks for shared memory that a block may have.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  const unsigned bytes = 48 << 10;
  cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, bytes, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
