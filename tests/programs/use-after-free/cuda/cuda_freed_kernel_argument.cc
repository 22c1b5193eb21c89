// Defect: A kernel is launched with a pointer kept from before the buffer was reallocated.
// Fix: A kernel is launched with the pointer to the new buffer.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-TEXT _Z3addPKfS0_Pfi|add
// EXPECT-FACT argument=2
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a, b, out;
  // First, so that it is not one past the end of another.
  // @CREATED
  OK(cuMemAlloc(&out, 4096));
  OK(cuMemAlloc(&a, 4096));
  OK(cuMemAlloc(&b, 4096));
  OK(cuMemsetD8(a, 0, 4096));
  OK(cuMemsetD8(b, 0, 4096));
  CUdeviceptr bigger;
  OK(cuMemAlloc(&bigger, 4 << 20));
  // @RELEASED
  OK(cuMemFree(out));
#ifdef DEFECT
  CUdeviceptr kept = out;
#else
  CUdeviceptr kept = bigger;
#endif
  int n = 1;
  void* arguments[] = {&a, &b, &kept, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(bigger, b, a);
}
