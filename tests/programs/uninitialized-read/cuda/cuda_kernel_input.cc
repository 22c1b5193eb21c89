// Defect: A kernel reads a buffer that nothing has written.
// Fix: A kernel reads a buffer that was filled.
// EXPECT warning uninitialized-read cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUdeviceptr in, out = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&in, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(in, 0, 4096));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, in);
}
