// A launch over one block.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  const int elements = 1;
  cuLaunchKernel(nothing, (elements + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
