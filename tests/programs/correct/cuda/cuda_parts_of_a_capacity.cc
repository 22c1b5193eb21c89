// Buffers are larger than what is in them: kernels use as much as their launch has threads for, or
// as many elements as they are told.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY), scale = Kernel(KERNEL_SCALE), twice = Kernel(KERNEL_TWICE),
             add = Kernel(KERNEL_ADD);
  static float data[1024], result[1024];
  for (int i = 0; i < 1024; ++i) data[i] = 1;
  CUdeviceptr in = NewMemory(4096), out = NewMemory(4096), sum = NewMemory(4096);
  OK(cuMemcpyHtoD(in, data, 2048));
  void* copied[] = {&in, &out};
  OK(cuLaunchKernel(copy, 2, 1, 1, 256, 1, 1, 0, nullptr, copied, nullptr));
  float factor = 3;
  void* scaled[] = {&out, &factor};
  OK(cuLaunchKernel(scale, 1, 1, 1, 512, 1, 1, 0, nullptr, scaled, nullptr));
  void* doubled[] = {&in};
  OK(cuLaunchKernel(twice, 2, 1, 1, 256, 1, 1, 0, nullptr, doubled, nullptr));
  int n = 512;
  void* added[] = {&in, &out, &sum, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, added, nullptr));
  OK(cuMemcpyDtoH(result, sum, 2048));
  CHECK(result[511] == 5);
  Close(sum, out, in);
}
