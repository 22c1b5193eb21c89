// Defect: A kernel gets the end of an allocation and writes behind it.
// Fix: A kernel gets the start of the allocation.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT first_byte=4096
// EXPECT-FACT outside_bytes=1024
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
#ifdef DEFECT
  CUdeviceptr begin = data + 4096;
#else
  CUdeviceptr begin = data;
#endif
  int value = 3;
  void* arguments[] = {&begin, &value};
  // @HERE
  cuLaunchKernel(fill, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  cuMemFree(data);
  cuDevicePrimaryCtxRelease(device);
}
