// Defect: The second of three launches of a kernel writes behind its buffer.
// Fix: It writes inside of the buffer.
// OPTION --guard
// OPTION --guard-every-launch
// EXIT any
// EXPECT error guard-overwritten cuLaunchKernel at SECOND
// EXPECT-PARTY likely-writer at SECOND
// EXPECT-FACT suspects=1
// EXPECT-FACT nearest_bytes=40
// OPTION --kernel-analysis=false
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  const CUdeviceptr data = NewMemory(4000);
  long long index = 1;
  void* arguments[] = {(void*)&data, &index};
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
#ifdef DEFECT
  index = 1010;
#endif
  // @SECOND
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  index = 2;
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(data);
}
