// Defect: A kernel is launched with NULL where its other launches had a pointer. (No thread of the
// launch uses it.)
// Fix: A kernel is launched with a pointer each time.
// EXPECT warning invalid-pointer cuLaunchKernel at HERE
// EXPECT-FACT argument=2
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), out = NewMemory(4096);
  int n = 1024;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT
  CUdeviceptr null = 0;
  arguments[2] = &null;
#endif
  n = -1;
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, b, a);
}
