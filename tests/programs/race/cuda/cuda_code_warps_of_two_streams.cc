// Defect: The warps of two streams write parts of a buffer that have a row in common.
// Fix: The parts lie side by side.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=WAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction rows = CodeKernel(CODE_WARP_ROWS);
  int pitch = 32;
  const size_t row = 32 * sizeof(float);
  CUdeviceptr out = NewMemory(16 * row);
#ifdef DEFECT
  CUdeviceptr rest = out + 7 * row;
#else
  CUdeviceptr rest = out + 8 * row;
#endif
  void *low[] = {&out, &pitch}, *high[] = {&rest, &pitch};
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  // @HERE
  OK(cuLaunchKernel(rows, 2, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Close(out, second, first);
}
