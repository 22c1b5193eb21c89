// Defect: The default stream reads what an unrolled loop of another stream writes, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4},
        c = {NewZeros(4000), 4000, 1000, 4};
  void *first[] = {&a, &b, &count}, *second[] = {&b, &c, &count};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(c.data, b.data, a.data, side);
}
