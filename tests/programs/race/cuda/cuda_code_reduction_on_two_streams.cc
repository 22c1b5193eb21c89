// Defect: The default stream sums what an unrolled loop of another stream writes, without a wait.
// Fix: It waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream();
  CUfunction each = CodeKernel(CODE_EACH), reduce = CodeKernel(CODE_REDUCE);
  long long count = 1000;
  Array a = {NewZeros(4000), 4000, 1000, 4}, b = {NewZeros(4000), 4000, 1000, 4};
  CUdeviceptr sum = NewZeros(4);
  int lanes = 1;
  void *first[] = {&a, &b, &count}, *second[] = {&b.data, &sum, &count, &lanes};
  OK(cuLaunchKernel(each, 8, 1, 1, 128, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(reduce, 1, 1, 1, 256, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(sum, b.data, a.data, side);
}
