// Defect: A kernel is launched with a pointer that no allocation has.
// Fix: The pointer is that of an allocation.
#include "common/cuda.h"

// Defect: A kernel is launched with an address that no allocation has. (No thread of the launch
// uses it.)
// Fix: A kernel is launched with allocations alone.
// EXPECT error invalid-pointer cuLaunchKernel at HERE
// EXPECT-FACT argument=2
// EXPECT-FACT kernel~add
static void NeverAllocated() {
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
  Release(allocated, b, a);
}

// Defect: A kernel is launched with NULL where its other launches had a pointer. (No thread of the
// launch uses it.)
// Fix: A kernel is launched with a pointer each time.
// EXPECT warning invalid-pointer cuLaunchKernel at HERE_2
// EXPECT-FACT argument=2
static void NullWhereAPointerWas() {
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
  // @HERE_2
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(out, b, a);
}

int main() {
  Open();
  NeverAllocated();
  NullWhereAPointerWas();
  Close();
}
