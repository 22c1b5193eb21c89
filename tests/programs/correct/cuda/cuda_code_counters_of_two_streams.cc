// Kernels on two streams add to the same counters atomically, and read the same keys.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction count = CodeKernel(CODE_COUNT);
  CUdeviceptr counters = NewZeros(256), keys = NewZeros(4096);
  void* arguments[] = {&counters, &keys};
  OK(cuLaunchKernel(count, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuLaunchKernel(count, 4, 1, 1, 256, 1, 1, 0, second, arguments, nullptr));
  OK(cuCtxSynchronize());
  unsigned sum;
  OK(cuMemcpyDtoH(&sum, counters, 4));
  CHECK(sum == 2048);
  Close(keys, counters, second, first);
}
