// Defect: A kernel is launched with a pointer just after the end of its memory. (No thread of the
// launch uses it, which the code of the kernel would tell.)
// OPTION --kernel-analysis=false
// Fix: A kernel is launched with a pointer to the last element of its memory.
// EXPECT warning kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=2
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), out;
  // @CREATED
  OK(cuMemAlloc(&out, 4 << 20));
#ifdef DEFECT
  CUdeviceptr end = out + (4 << 20);
#else
  CUdeviceptr end = out + (4 << 20) - sizeof(float);
#endif
  int n = -1;
  void* arguments[] = {&a, &b, &end, &n};
  // @HERE
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, b, a);
}
