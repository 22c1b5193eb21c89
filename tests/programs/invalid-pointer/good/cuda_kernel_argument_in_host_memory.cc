// A kernel is launched with page-locked memory, which the device reaches.
#include "common/cuda.h"

int main() {
  Open();
  // A device that reaches all host memory may be given any.
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr b = NewZeros(4096), out = NewMemory(4096);
  float* pageable = (float*)calloc(1024, sizeof(float));
  float* locked = (float*)NewPinned(4096);
  float* a = locked;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Close();
}
