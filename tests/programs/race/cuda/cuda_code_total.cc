// Defect: A stream computes a sum, or overwrites its input, without a wait for the other stream.
// Fix: The stream waits for the other one.
#include "common/cuda_machine_code.h"

// Defect: The default stream sums what an unrolled loop of another stream writes, without a wait. The blocks of the
// sum order each other by a counter.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
static void CodeTotalOnTwoStreams() {
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
  Release(total.arrived, total.partial, total.sum, b.data, a.data, side);
}

// Defect: A stream clears what a sum on another stream reads, without a wait.
// Fix: It waits for an event behind the sum.
// EXPECT error race cuMemsetD32Async at HERE_2
// EXPECT-FACT hazard=WAR
static void CodeTotalOverwritten() {
  CUstream side = NewStream(), other = NewStream();
  CUfunction sum = CodeKernel(CODE_TOTAL);
  Total total = {NewZeros(4000), NewZeros(4), NewZeros(16), NewZeros(4), 1000};
  void* arguments[] = {&total};
  OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, side, arguments, nullptr));
#ifndef DEFECT
  StreamWait(other, side);
#endif
  // @HERE_2
  OK(cuMemsetD32Async(total.in, 1, 1000, other));
  OK(cuCtxSynchronize());
  Release(total.arrived, total.partial, total.sum, total.in, other, side);
}

int main() {
  Open();
  CodeTotalOnTwoStreams();
  CodeTotalOverwritten();
  Close();
}
