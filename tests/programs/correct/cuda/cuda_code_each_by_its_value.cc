// Unrolled kernels of two streams write to one buffer where their inputs are positive: never the
// same elements.
#include <vector>

#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction positive = CodeKernel(CODE_EACH_POSITIVE);
  std::vector<float> even(1000), odd(1000);
  for (size_t i = 0; i < 1000; i += 2) even[i] = odd[i + 1] = 1;
  CUdeviceptr low = NewMemory(4000), high = NewMemory(4000), out = NewZeros(4000);
  OK(cuMemcpyHtoD(low, even.data(), 4000));
  OK(cuMemcpyHtoD(high, odd.data(), 4000));
  long long count = 1000;
  void *one[] = {&low, &out, &count}, *other[] = {&high, &out, &count};
  OK(cuLaunchKernel(positive, 8, 1, 1, 128, 1, 1, 0, first, one, nullptr));
  OK(cuLaunchKernel(positive, 8, 1, 1, 128, 1, 1, 0, second, other, nullptr));
  OK(cuCtxSynchronize());
  std::vector<float> all(1000);
  OK(cuMemcpyDtoH(all.data(), out, 4000));
  for (const float value : all) CHECK(value == 1);
  Close(out, high, low, second, first);
}
