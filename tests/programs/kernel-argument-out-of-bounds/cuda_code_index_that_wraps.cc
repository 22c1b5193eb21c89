// Defect: A kernel whose negative indices count from the end gets a first index with which it writes past the end.
// Fix: The last index is inside of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT outside_bytes=32
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction set = CodeKernel(CODE_FROM_END);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
#ifdef DEFECT
  long long first = 520;
#else
  long long first = 512;
#endif
  long long size = 1024, count = 512;
  void* arguments[] = {&data, &size, &first, &count};
  // @HERE
  cuLaunchKernel(set, 2, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  cuMemFree(data);
  cuDevicePrimaryCtxRelease(device);
}
