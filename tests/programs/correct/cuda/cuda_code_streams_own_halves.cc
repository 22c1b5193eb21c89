// Kernels on two streams get the same pointer, and an offset says which half each of them changes.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction twice_from = CodeKernel(CODE_TWICE_FROM);
  CUdeviceptr data = NewZeros(2048);
  int begins[] = {0, 256};
  void *low[] = {&data, &begins[0]}, *high[] = {&data, &begins[1]};
  for (int round = 0; round < 3; ++round) {
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, first, low, nullptr));
    OK(cuLaunchKernel(twice_from, 1, 1, 1, 256, 1, 1, 0, second, high, nullptr));
  }
  OK(cuCtxSynchronize());
  Close(data, second, first);
}
