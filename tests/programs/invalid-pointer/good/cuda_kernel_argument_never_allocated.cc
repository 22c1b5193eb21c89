// A kernel is launched with allocations alone.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), allocated = NewMemory(4096);
  CUdeviceptr out = allocated;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(allocated));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  Close();
}
