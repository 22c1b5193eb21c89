// Defect: A kernel writes behind page-locked memory of the host.
// Fix: It writes inside of the memory.
// OPTION --guard
// EXIT any
// EXPECT error guard-overwritten cuMemFreeHost at FREE
// EXPECT-PARTY allocation at CREATE
// EXPECT-FACT side=behind
// EXPECT-FACT nearest_bytes=4
// EXPECT-FACT changed_bytes=4
// OPTION --kernel-analysis=false
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUevent done = NewEvent();
  void* block;
  // @CREATE
  OK(cuMemHostAlloc(&block, 400, 0));
#ifdef DEFECT
  long long index = 101;
#else
  long long index = 99;
#endif
  CUdeviceptr data;
  OK(cuMemHostGetDevicePointer(&data, block, 0));
  void* arguments[] = {&data, &index};
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuEventRecord(done, nullptr));
  OK(cuEventSynchronize(done));
  OK(cuEventDestroy(done));
  // @FREE
  OK(cuMemFreeHost(block));
  Close();
}
