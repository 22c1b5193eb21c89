// Defect: A kernel writes the element directly behind its buffer. The index is an argument of the launch.
// Fix: It writes the last element.
// OPTION --guard
// EXIT any
// EXPECT error guard-overwritten cuCtxSynchronize at WAIT
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=4
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT resource_bytes=4000
// EXPECT-FACT values=01000000
// OPTION --kernel-analysis=false
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUdeviceptr data;
  // @CREATE
  OK(cuMemAlloc(&data, 4000));
#ifdef DEFECT
  long long index = 1000;
#else
  long long index = 999;
#endif
  void* arguments[] = {&data, &index};
  // @LAUNCH
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  // @WAIT
  OK(cuCtxSynchronize());
  Close(data);
}
