// Defect: A kernel writes to freed memory, which lay directly behind the allocation that the kernel reads.
// Fix: The memory is freed after the launch.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=1
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction copy = CodeKernel(CODE_COPY);
  const size_t bytes = 2 << 20;
  CUdeviceptr blocks[16];
  for (CUdeviceptr& block : blocks) block = NewZeros(bytes);
  // Two neighbours, if the driver made any; otherwise any two blocks.
  int first = 0, behind = 1;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      if (blocks[i] + bytes == blocks[j]) first = i, behind = j;
    }
  }
  CUdeviceptr in = blocks[first], out = blocks[behind];
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(out));
#endif
  void* arguments[] = {&in, &out};
  // @HERE
  cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  for (int i = 0; i < 16; ++i) {
    if (i != behind) cuMemFree(blocks[i]);
  }
  cuModuleUnload(module_of_kernels);
  cuDevicePrimaryCtxRelease(device);
}
