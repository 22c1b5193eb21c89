// Defect: A kernel is launched with a pointer from malloc. (No thread of the launch uses it.)
// Fix: A kernel is launched with page-locked memory, which the device reaches.
// EXPECT error invalid-pointer cuLaunchKernel at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT argument=0
#include "common/cuda.h"

int main() {
  Open();
  // A device that reaches all host memory may be given any.
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr b = NewZeros(4096), out = NewMemory(4096);
  // @BLOCK
  float* pageable = (float*)calloc(1024, sizeof(float));
  float* locked = (float*)NewPinned(4096);
#ifdef DEFECT
  float* a = pageable;
#else
  float* a = locked;
#endif
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Close();
}
