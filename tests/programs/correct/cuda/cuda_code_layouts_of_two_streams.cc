// Kernels of two streams write the columns of one matrix in turns, and one of them has no elements
// left.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction lay_out = CodeKernel(CODE_LAYOUT), fill = CodeKernel(CODE_FILL);
  CUdeviceptr matrix = NewZeros(4096), odd = matrix + 4, filled = NewZeros(4096);
  int count = 512, none = 0, value = 1;
  // 32 rows, of which each second element is written, columns first.
  Layout layout = {2, {{32, 0, 5}, {16, 0, 4}}, {128, 8}};
  void *low[] = {&count, &layout, &matrix}, *high[] = {&count, &layout, &odd};
  OK(cuLaunchKernel(lay_out, 4, 1, 1, 128, 1, 1, 0, first, low, nullptr));
  OK(cuLaunchKernel(lay_out, 4, 1, 1, 128, 1, 1, 0, second, high, nullptr));
  void *empty[] = {&none, &layout, &filled}, *all[] = {&filled, &value};
  OK(cuLaunchKernel(lay_out, 4, 1, 1, 128, 1, 1, 0, first, empty, nullptr));
  OK(cuLaunchKernel(fill, 8, 1, 1, 128, 1, 1, 0, second, all, nullptr));
  OK(cuCtxSynchronize());
  Close(filled, matrix, second, first);
}
