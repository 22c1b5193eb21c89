// Defect: A kernel writes the element directly in front of its buffer. The program frees the buffer without a wait.
// Fix: It writes the first element.
// OPTION --guard=64
// EXIT any
// EXPECT error guard-overwritten cuMemFree_v2 at FREE
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=front
// EXPECT-FACT changed_bytes=4
// EXPECT-FACT nearest_bytes=0
// OPTION --kernel-analysis=false
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUdeviceptr data;
  // @CREATE
  OK(cuMemAlloc(&data, 4000));
#ifdef DEFECT
  long long index = -1;
#else
  long long index = 0;
#endif
  void* arguments[] = {&data, &index};
  // @LAUNCH
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  // @FREE
  OK(cuMemFree(data));
  Close();
}
