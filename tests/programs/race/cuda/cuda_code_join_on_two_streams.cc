// Defect: The default stream reads what a kernel on another stream joins, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream();
  CUfunction join = CodeKernel(CODE_JOIN), copy = CodeKernel(CODE_COPY);
  CUdeviceptr a = NewZeros(2048), b = NewZeros(2048), both = NewZeros(4096), out = NewZeros(4096);
  Inputs inputs = {{a, b}, {0, 512}, {512, 512}};
  unsigned width = 1;
  void *first[] = {&both, &inputs, &width}, *second[] = {&both, &out};
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(copy, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(out, both, b, a, side);
}
