// Defect: A kernel that reads its input where a mask says so gets an input that was freed.
// Fix: The input is freed behind the launch.
// EXPECT warning use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=0
// EXPECT-TEXT a condition of the kernel decides
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction masked = CodeKernel(CODE_MASKED);
  CUdeviceptr in;
  // First, so that it is not one past the end of another.
  // @CREATED
  OK(cuMemAlloc(&in, 1024));
  CUdeviceptr mask = NewZeros(256), out = NewZeros(1024);
  OK(cuMemsetD8(in, 0, 1024));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(in));
#endif
  void* arguments[] = {&in, &mask, &out};
  // @HERE
  OK(cuLaunchKernel(masked, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(in, out, mask);
}
