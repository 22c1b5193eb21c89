// A hundred launches in a row, all with the pointer to the new buffer.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr out, bigger;
  // First, so that it is not one past the end of another.
  OK(cuMemAlloc(&out, 4096));
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  OK(cuMemAlloc(&bigger, 4 << 20));
  OK(cuMemFree(out));
  CUdeviceptr kept = bigger;
  for (int i = 0; i < 100; ++i) {
    CUdeviceptr target = i == 37 ? kept : bigger;
    int n = 0;
    void* arguments[] = {&a, &b, &target, &n};
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  }
  OK(cuCtxSynchronize());
  OK(cuMemFree(bigger));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  Close();
}
