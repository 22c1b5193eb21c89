// Defect: A kernel writes far outside of its memory; every call fails from then on.
// Fix: A kernel writes to its memory.
// EXPECT error sticky-error cuCtxSynchronize CUDA_ERROR_ILLEGAL_ADDRESS at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-TEXT poke
// EXPECT-COUNT 4
// EXIT any
// MAY kernel-argument-out-of-bounds
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUdeviceptr buffer = NewZeros(4096);
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
  char result[4];
  cuMemcpyDtoH(result, buffer, 4);
  cuCtxSynchronize();
  cuMemFree(buffer);
}
