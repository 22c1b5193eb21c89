// Defect: A copy of what another stream writes is launched in front of the kernel that waits for the
// flag of that stream.
// Fix: The copy is launched behind the kernel that waits.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL), produce = CodeKernel(CODE_PRODUCE);
  CUfunction consume = CodeKernel(CODE_CONSUME), copy = CodeKernel(CODE_COPY);
  CUdeviceptr data = NewZeros(128), flag = NewZeros(4), out = NewZeros(128);
  CUdeviceptr filled = NewZeros(128), copied = NewZeros(128);
  int value = 3;
  void *fills[] = {&filled, &value}, *produced[] = {&data, &flag};
  void *consumed[] = {&data, &flag, &out}, *copies[] = {&filled, &copied};
  OK(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, first, fills, nullptr));
  OK(cuLaunchKernel(produce, 1, 1, 1, 32, 1, 1, 0, first, produced, nullptr));
#ifdef DEFECT
  // @HERE
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, second, copies, nullptr));
#endif
  OK(cuLaunchKernel(consume, 1, 1, 1, 32, 1, 1, 0, second, consumed, nullptr));
#ifndef DEFECT
  OK(cuLaunchKernel(copy, 1, 1, 1, 32, 1, 1, 0, second, copies, nullptr));
#endif
  OK(cuCtxSynchronize());
  for (const CUdeviceptr memory : {data, flag, out, filled, copied}) OK(cuMemFree(memory));
  Close(second, first);
}
