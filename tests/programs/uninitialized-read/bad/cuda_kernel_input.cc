// A kernel reads a buffer that nothing has written.
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
  void* arguments[] = {&in, &out};
  // @HERE
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  Close();
}
