// Defect: A kernel that writes where its mask says so gets a pointer to freed memory, which lay directly behind an
// allocation that still exists.
// Fix: The memory is freed after the launch.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=2
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction masked = CodeKernel(CODE_MASKED);
  const size_t bytes = 2 << 20;
  CUdeviceptr in = NewZeros(4096), mask = NewZeros(1024), blocks[16];
  for (CUdeviceptr& block : blocks) block = NewZeros(bytes);
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
  void* arguments[] = {&in, &mask, &out};
  // @HERE
  cuLaunchKernel(masked, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
#ifndef DEFECT
  OK(cuMemFree(out));
#endif
  for (int i = 0; i < 16; ++i) {
    if (i != behind) cuMemFree(blocks[i]);
  }
  cuMemFree(mask);
  cuMemFree(in);
  cuModuleUnload(module_of_kernels);
  cuDevicePrimaryCtxRelease(device);
}
