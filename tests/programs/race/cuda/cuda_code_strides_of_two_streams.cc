// Defect: Grid-stride loops of two streams write parts of a buffer that have 64 elements in common.
// Fix: The parts lie side by side.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=WAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction stride = CodeKernel(CODE_STRIDE);
  CUdeviceptr in = NewZeros(8192), out = NewZeros(8192);
#ifdef DEFECT
  CUdeviceptr rest = out + 3840;
#else
  CUdeviceptr rest = out + 4096;
#endif
  int count = 1024;
  void *low[] = {&in, &out, &count}, *high[] = {&in, &rest, &count};
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, first, low, nullptr));
  // @HERE
  OK(cuLaunchKernel(stride, 1, 1, 1, 64, 1, 1, 0, second, high, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in, second, first);
}
