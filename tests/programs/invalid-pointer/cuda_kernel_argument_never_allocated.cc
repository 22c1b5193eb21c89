// Defect: A kernel is launched with an address that no allocation has. (No thread of the launch
// uses it.)
// Fix: A kernel is launched with allocations alone.
// EXPECT error invalid-pointer cuLaunchKernel at HERE
// EXPECT-FACT argument=2
// EXPECT-FACT kernel~add
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), allocated = NewMemory(4096);
#ifdef DEFECT
  CUdeviceptr out = 0x7654321000;
#else
  CUdeviceptr out = allocated;
#endif
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(allocated, b, a);
}
