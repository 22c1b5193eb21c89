// Defect: The default stream reads a matrix that a kernel on another stream transposes, without a
// wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream();
  CUfunction lay_out = CodeKernel(CODE_LAYOUT), copy = CodeKernel(CODE_COPY);
  CUdeviceptr matrix = NewZeros(4096), out = NewZeros(4096);
  int count = 1024;
  // 32 rows of 32 elements, columns first.
  Layout layout = {2, {{32, 0, 5}, {32, 0, 5}}, {128, 4}};
  void *first[] = {&count, &layout, &matrix}, *second[] = {&matrix, &out};
  OK(cuLaunchKernel(lay_out, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(copy, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(out, matrix, side);
}
