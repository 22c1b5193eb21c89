// Defect: A kernel that the driver compiles from PTX gets a count that is larger than its buffer.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
#include "common/cuda_ptx.h"

int main() {
  Open();
  CUfunction set = PtxKernel(CODE_SET);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
#ifdef DEFECT
  int count = 1025;
#else
  int count = 1024;
#endif
  int value = 5;
  void* arguments[] = {&data, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 5, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(data);
}
