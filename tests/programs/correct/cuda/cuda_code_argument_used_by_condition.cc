// Kernels on two streams get the same two buffers, and an argument says which of them each writes.
// The other one is set at the same time.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction choose = CodeKernel(CODE_CHOOSE);
  CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  int yes = 1, no = 0;
  void *one[] = {&a, &b, &yes}, *other[] = {&a, &b, &no};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuMemsetD8Async(a, 0, 4096, first));
  OK(cuCtxSynchronize());
  float value;
  OK(cuMemcpyDtoH(&value, b + 4092, 4));
  CHECK(value == 1);
  Close(b, a, second, first);
}
