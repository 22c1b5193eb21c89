// A sum is launched with all blocks that the device runs, and with partial sums for exactly these. The input has fewer
// elements than the grid has threads. Its last launch has a pointer into the middle of the partial sums.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction sum = CodeKernel(CODE_TOTAL);
  CUdeviceptr partial = NewZeros(32);
  Total total = {NewZeros(40), NewZeros(4), partial, NewZeros(4), 10};
  void* arguments[] = {&total};
  OK(cuLaunchKernel(sum, 8, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  total.partial = partial + 16;
  OK(cuMemsetD32(total.arrived, 0, 1));
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(total.arrived, partial, total.sum, total.in);
}
