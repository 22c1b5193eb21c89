// A kernel is launched with the pointer to the new buffer.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr a, b, out;
  // First, so that it is not one past the end of another.
  OK(cuMemAlloc(&out, 4096));
  OK(cuMemAlloc(&a, 4096));
  OK(cuMemAlloc(&b, 4096));
  OK(cuMemsetD8(a, 0, 4096));
  OK(cuMemsetD8(b, 0, 4096));
  CUdeviceptr bigger;
  OK(cuMemAlloc(&bigger, 4 << 20));
  OK(cuMemFree(out));
  CUdeviceptr kept = bigger;
  int n = 0;
  void* arguments[] = {&a, &b, &kept, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(bigger));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  Close();
}
