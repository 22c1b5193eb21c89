// The host copies the counter of a sum while the sum may run, and overwrites what the sum has read once all blocks are
// counted.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction sum = CodeKernel(CODE_TOTAL);
  Total total = {NewZeros(4000), NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  void* summed[] = {&total};
  OK(cuLaunchKernel(sum, 1, 1, 1, 256, 1, 1, 0, first, summed, nullptr));
  unsigned arrived = 0;
  OK(cuMemcpyDtoHAsync(&arrived, total.arrived, 4, second));
  OK(cuStreamSynchronize(second));
  if (arrived == 0) OK(cuStreamSynchronize(first));
  OK(cuMemsetD32Async(total.in, 1, 1000, second));
  OK(cuCtxSynchronize());
  Close(total.arrived, total.partial, total.sum, total.in, second, first);
}
