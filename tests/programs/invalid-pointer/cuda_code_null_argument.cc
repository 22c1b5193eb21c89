// Defect: A kernel gets NULL and writes through it in every thread.
// Fix: A kernel gets its memory.
// EXPECT error invalid-pointer cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-TEXT is NULL
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr data = NewMemory(1024);
#ifdef DEFECT
  CUdeviceptr out = 0;
#else
  CUdeviceptr out = data;
#endif
  int value = 3;
  void* arguments[] = {&out, &value};
  // @HERE
  cuLaunchKernel(fill, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  cuCtxSynchronize();
  cuMemFree(data);
  cuModuleUnload(module_of_kernels);
  cuDevicePrimaryCtxRelease(device);
}
