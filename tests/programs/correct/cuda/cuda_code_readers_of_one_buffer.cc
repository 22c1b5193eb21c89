// Kernels on two streams and a download read one buffer, by pointers that are not const.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction copy = CodeKernel(CODE_COPY);
  CUdeviceptr in = NewZeros(4096), a = NewZeros(4096), b = NewZeros(4096);
  char* result = NewPinned(4096);
  void *one[] = {&in, &a}, *other[] = {&in, &b};
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, first, one, nullptr));
  OK(cuMemcpyDtoHAsync(result, in, 4096, second));
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  Close(result, b, a, in, second, first);
}
