// Defect: A kernel writes far outside of its memory. The allocation that follows fails, and the
// program uses the NULL that it leaves: a consequence, which is not reported.
// Fix: A kernel writes to its memory.
// EXPECT error sticky-error cuCtxSynchronize CUDA_ERROR_ILLEGAL_ADDRESS at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-COUNT 7
// EXIT any
// MAY kernel-argument-out-of-bounds uninitialized-read
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE), fill = Kernel(KERNEL_FILL);
  CUdeviceptr buffer = NewMemory(4096), more = NewMemory(4096);
  int value = 3, words[1024] = {};
  void* filling[] = {&more, &value};
  OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, filling, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(more));
#ifdef DEFECT
  long index = 1L << 45;
#else
  long index = 1023;
#endif
  void* arguments[] = {&buffer, &index};
  // @LAUNCH
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  // @HERE
  cuCtxSynchronize();
  more = 0;
  cuMemAlloc(&more, 4096);
  cuMemcpyHtoD(more, words, sizeof(words));
  cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, filling, nullptr);
  cuCtxSynchronize();
  cuMemFree(more);
  cuMemFree(buffer);
}
