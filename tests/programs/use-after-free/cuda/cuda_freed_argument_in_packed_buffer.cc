// Defect: A kernel gets its arguments in one buffer, and one of them points to freed memory.
// Fix: A kernel gets its arguments in one buffer, and all point to live memory.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=1
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  struct {
    CUdeviceptr a, b, out;
    int n;
  } arguments = {};
  // First, so that it is not one past the end of another.
  // @CREATED
  OK(cuMemAlloc(&arguments.b, 1 << 20));
  arguments.a = NewZeros(4096);
  arguments.out = NewMemory(4096);
  OK(cuMemsetD8(arguments.b, 0, 1 << 20));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(arguments.b));
#endif
  arguments.n = 1;
  size_t bytes = 28;
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                    CU_LAUNCH_PARAM_END};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, packed));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(arguments.b, arguments.out, arguments.a);
}
