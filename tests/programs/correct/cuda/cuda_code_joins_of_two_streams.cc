// Kernels of two streams join inputs into one buffer: one writes behind the part of the other. An
// input with fewer elements than a thread copies leaves the buffer as it is.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction join = CodeKernel(CODE_JOIN), fill = CodeKernel(CODE_FILL);
  CUdeviceptr in = NewZeros(4096), both = NewZeros(4096), filled = NewZeros(4096);
  Inputs low = {{in, in + 1024}, {0, 256}, {256, 256}};
  Inputs high = {{in + 2048, in + 3072}, {256, 384}, {256, 256}};
  unsigned one = 1, two = 2;
  void *lower[] = {&both, &low, &one}, *upper[] = {&both, &high, &two};
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, first, lower, nullptr));
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, second, upper, nullptr));
  Inputs few = {{in, in}, {0, 0}, {3, 0}};
  int value = 1;
  void *nothing[] = {&filled, &few, &one}, *all[] = {&filled, &value};
  OK(cuLaunchKernel(join, 1, 2, 1, 128, 1, 1, 0, first, nothing, nullptr));
  OK(cuLaunchKernel(fill, 8, 1, 1, 128, 1, 1, 0, second, all, nullptr));
  OK(cuCtxSynchronize());
  Close(filled, both, in, second, first);
}
