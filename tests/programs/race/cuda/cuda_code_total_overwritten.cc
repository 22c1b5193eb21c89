// Defect: A stream clears what a sum on another stream reads, without a wait.
// Fix: It waits for an event behind the sum.
// EXPECT error race cuMemsetD32Async at HERE
// EXPECT-FACT hazard=WAR
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream(), other = NewStream();
  CUfunction sum = CodeKernel(CODE_TOTAL);
  Total total = {NewZeros(4000), NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  void* arguments[] = {&total};
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, side, arguments, nullptr));
#ifndef DEFECT
  StreamWait(other, side);
#endif
  // @HERE
  OK(cuMemsetD32Async(total.in, 1, 1000, other));
  OK(cuCtxSynchronize());
  Close(total.arrived, total.partial, total.sum, total.in, other, side);
}
