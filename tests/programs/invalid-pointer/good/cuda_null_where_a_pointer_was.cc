// A kernel is launched with a pointer each time.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), out = NewMemory(4096);
  int n = 1024;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  CUdeviceptr null = 0;
  n = -1;
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  Close();
}
