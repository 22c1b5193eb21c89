// A kernel is launched with a pointer to the last element of its memory.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096), out;
  OK(cuMemAlloc(&out, 4 << 20));
  CUdeviceptr end = out + (4 << 20) - sizeof(float);
  int n = -1;
  void* arguments[] = {&a, &b, &end, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  Close();
}
