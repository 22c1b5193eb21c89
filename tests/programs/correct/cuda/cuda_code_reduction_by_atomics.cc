// Kernels of two streams add the sums of disjoint halves to one word, with atomics.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction sum = CodeKernel(CODE_SUM);
  static float ones[2048];
  for (float& one : ones) one = 1;
  CUdeviceptr in = NewMemory(sizeof(ones)), total = NewZeros(4);
  OK(cuMemcpyHtoD(in, ones, sizeof(ones)));
  CUdeviceptr high = in + sizeof(ones) / 2;
  int count = 1024;
  void *low_half[] = {&in, &total, &count}, *high_half[] = {&high, &total, &count};
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, first, low_half, nullptr));
  OK(cuLaunchKernel(sum, 5, 1, 1, 256, 1, 1, 0, second, high_half, nullptr));
  OK(cuCtxSynchronize());
  float result;
  OK(cuMemcpyDtoH(&result, total, 4));
  CHECK(result == 2048);
  Close(total, in, second, first);
}
