// A kernel has more threads than elements and leaves the rest alone, behind which another stream
// works.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction set = CodeKernel(CODE_SET), add = CodeKernel(CODE_ADD);
  CUdeviceptr data = NewZeros(8000), high = data + 4000;
  CUdeviceptr exact = NewZeros(4000);
  int value = 5, count = 1000;
  void *low_part[] = {&data, &value, &count}, *high_part[] = {&high, &value, &count};
  void* sum[] = {&data, &data, &exact, &count};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, first, low_part, nullptr));
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, second, high_part, nullptr));
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, first, sum, nullptr));
  OK(cuCtxSynchronize());
  int last;
  OK(cuMemcpyDtoH(&last, data + 7996, 4));
  CHECK(last == 5);
  Close(exact, data, second, first);
}
