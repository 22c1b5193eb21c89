// Defect: A kernel writes 8 bytes behind memory that is allocated and freed in stream order.
// Fix: It writes inside of the memory.
// OPTION --guard
// EXIT any
// EXPECT error guard-overwritten cuMemFreeAsync at FREE
// EXPECT-PARTY allocation at CREATE
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=4
// EXPECT-FACT nearest_bytes=8
// OPTION --kernel-analysis=false
#include "common/cuda.h"

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE);
  CUstream stream = NewStream();
  CUdeviceptr data;
  // @CREATE
  OK(cuMemAllocAsync(&data, 400, stream));
#ifdef DEFECT
  long long index = 102;
#else
  long long index = 2;
#endif
  void* arguments[] = {&data, &index};
  OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  // @FREE
  OK(cuMemFreeAsync(data, stream));
  OK(cuStreamSynchronize(stream));
  Close(stream);
}
