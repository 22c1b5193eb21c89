// Kernels on two streams count in one word by atomic additions.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction count = Kernel(KERNEL_COUNT);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr counter = NewZeros(4);
  void* arguments[] = {&counter};
  OK(cuLaunchKernel(count, 4, 1, 1, 64, 1, 1, 0, first, arguments, nullptr));
  OK(cuLaunchKernel(count, 4, 1, 1, 64, 1, 1, 0, second, arguments, nullptr));
  OK(cuCtxSynchronize());
  unsigned counted = 0;
  OK(cuMemcpyDtoH(&counted, counter, 4));
  CHECK(counted == 512);
  Close(counter, second, first);
}
