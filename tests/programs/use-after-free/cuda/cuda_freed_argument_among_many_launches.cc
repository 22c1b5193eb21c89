// Defect: A hundred launches in a row, one of which has a pointer kept from before the buffer was
// reallocated.
// Fix: A hundred launches in a row, all with the pointer to the new buffer.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=2
// MAY sticky-error
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr out, bigger;
  // First, so that it is not one past the end of another.
  // @CREATED
  OK(cuMemAlloc(&out, 4096));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  OK(cuMemAlloc(&bigger, 4 << 20));
  // @RELEASED
  OK(cuMemFree(out));
#ifdef DEFECT
  CUdeviceptr kept = out;
#else
  CUdeviceptr kept = bigger;
#endif
  for (int i = 0; i < 100; ++i) {
    CUdeviceptr target = i == 37 ? kept : bigger;
    int n = 1;
    void* arguments[] = {&a, &b, &target, &n};
    // @HERE
    cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  }
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(bigger, b, a);
}
