// Defect: A kernel writes into a row that the pitched allocation does not have.
// Fix: It writes into the last row.
// OPTION --guard
// EXIT any
// EXPECT error guard-overwritten cuStreamSynchronize at WAIT
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT changed_bytes=4
// OPTION --kernel-analysis=false
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUstream stream = NewStream();
  CUdeviceptr rows;
  size_t pitch;
  // @CREATE
  OK(cuMemAllocPitch(&rows, &pitch, 200, 10, 4));
#ifdef DEFECT
  long long row = 10;
#else
  long long row = 9;
#endif
  long long index = row * static_cast<long long>(pitch) / 4;
  void* arguments[] = {&rows, &index};
  // @LAUNCH
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  // @WAIT
  OK(cuStreamSynchronize(stream));
  Close(rows, stream);
}
