// Defect: A kernel that could publish its data by a flag is given none, and another stream reads the
// data without a wait.
// Fix: The other stream waits for an event behind the kernel.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream side = NewStream();
  CUfunction publish = CodeKernel(CODE_PUBLISH), copy = CodeKernel(CODE_COPY);
  CUdeviceptr data = NewZeros(128), out = NewZeros(128), no_flag = 0;
  void *first[] = {&data, &no_flag}, *second[] = {&data, &out};
  OK(cuLaunchKernel(publish, 1, 1, 1, 32, 1, 1, 0, side, first, nullptr));
#ifndef DEFECT
  StreamWait(nullptr, side);
#endif
  // @HERE
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, nullptr, second, nullptr));
  OK(cuCtxSynchronize());
  Close(out, data, side);
}
