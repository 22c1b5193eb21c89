// Defect: A kernel is launched with a pointer to freed memory. The memory lay directly behind an
// allocation that still exists. (No thread of the launch uses the pointer, which the code would tell.)
// OPTION --kernel-analysis=false
// Fix: The memory is freed after the launch.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=2
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  const size_t bytes = 2 << 20;
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), blocks[16];
  for (CUdeviceptr& block : blocks) block = NewMemory(bytes);
  // Two neighbours, if the driver made any; otherwise any block.
  int behind = 1;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      if (blocks[i] + bytes == blocks[j]) behind = j;
    }
  }
  CUdeviceptr out = blocks[behind];
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(out));
#endif
  int n = -1;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  for (int i = 0; i < 16; ++i) {
    if (i != behind) OK(cuMemFree(blocks[i]));
  }
  Close(b, a);
}
