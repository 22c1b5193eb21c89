// Reductions of two streams read one input, write results side by side, and run beside a kernel
// that writes the part of a buffer that they do not read.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction each = CodeKernel(CODE_EACH), reduce = CodeKernel(CODE_REDUCE);
  CUdeviceptr in = NewZeros(8000), sums = NewZeros(16);
  long long count = 1000;
  int lanes = 2;
  CUdeviceptr high_sums = sums + 8;
  void *low[] = {&in, &sums, &count, &lanes}, *high[] = {&in, &high_sums, &count, &lanes};
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  Array from = {in, 4000, 1000, 4}, to = {in + 4000, 4000, 1000, 4};
  void* rest[] = {&from, &to, &count};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, second, rest, nullptr));
  // An empty sum reads nothing of what the kernel writes.
  CUdeviceptr written = in + 4000;
  long long none = 0;
  void* empty[] = {&written, &sums, &none, &lanes};
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, first, empty, nullptr));
  OK(cuCtxSynchronize());
  Close(sums, in, second, first);
}
