// A const pointer argument may name a scalar of the host's that the kernel does not follow, as
// libraries have it that take scalars from either side. (No thread of the launch uses it.)
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  float alpha = 1;
  const float* from_host = &alpha;
  CUdeviceptr b = NewMemory(4096), out = NewMemory(4096);
  OK(cuMemsetD8(b, 0, 4096));
  int n = -1;
  void* arguments[] = {&from_host, &b, &out, &n};
  OK(cuLaunchKernel(add, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(out, b);
}
