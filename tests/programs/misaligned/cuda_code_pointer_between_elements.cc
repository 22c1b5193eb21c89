// Defect: A kernel that writes integers gets a pointer to the middle of one.
// Fix: The pointer is a multiple of the size of an integer.
// EXPECT error misaligned cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT alignment_bytes=4
// MAY sticky-error
// EXIT any
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction set = CodeKernel(CODE_SET);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
#ifdef DEFECT
  CUdeviceptr out = data + 6;
#else
  CUdeviceptr out = data + 8;
#endif
  int value = 5, count = 1000;
  void* arguments[] = {&out, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(data);
}
