// A kernel reads a buffer that was filled.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY);
  CUdeviceptr in, out = NewMemory(4096);
  OK(cuMemAlloc(&in, 4096));
  OK(cuMemsetD8(in, 0, 4096));
  void* arguments[] = {&in, &out};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  Close();
}
