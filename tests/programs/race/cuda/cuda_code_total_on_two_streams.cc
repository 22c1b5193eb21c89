// Defect: The default stream sums what an unrolled loop of another stream writes, without a wait. The blocks of the
// sum order each other by a counter.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH), sum = CodeKernel(CODE_TOTAL);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4};
  Total total = {b.data, NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  void *first[] = {&a, &b, &count}, *second[] = {&total};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(total.arrived, total.partial, total.sum, b.data, a.data, side);
}
