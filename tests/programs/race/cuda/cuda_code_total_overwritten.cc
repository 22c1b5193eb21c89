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
  CUevent read;
  OK(cuEventCreate(&read, CU_EVENT_DISABLE_TIMING));
  OK(cuEventRecord(read, side));
  OK(cuStreamWaitEvent(other, read, 0));
#endif
  // @HERE
  OK(cuMemsetD32Async(total.in, 1, 1000, other));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuEventDestroy(read));
#endif
  OK(cuMemFree(total.arrived));
  OK(cuMemFree(total.partial));
  OK(cuMemFree(total.sum));
  OK(cuMemFree(total.in));
  OK(cuStreamDestroy(other));
  OK(cuStreamDestroy(side));
  Close();
}
