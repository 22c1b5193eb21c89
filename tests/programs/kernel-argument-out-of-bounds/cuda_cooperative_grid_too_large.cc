// Defect: A cooperative kernel has one block more than its data. It writes the data after the grid has synchronized.
// Fix: The grid has as many threads as there are elements.
// EXPECT error kernel-argument-out-of-bounds cuLaunchCooperativeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=code_rotate
// EXPECT-FACT outside_bytes=1024
#include "common/cuda_machine_code.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0);
  CUfunction rotate = CodeKernel(CODE_ROTATE);
  CUdeviceptr data;
  // @CREATED
  OK(cuMemAlloc(&data, 4096));
  OK(cuMemsetD8(data, 0, 4096));
#ifdef DEFECT
  unsigned blocks = 5;
#else
  unsigned blocks = 4;
#endif
  void* arguments[] = {&data};
  // @HERE
  OK(cuLaunchCooperativeKernel(rotate, blocks, 1, 1, 256, 1, 1, 0, nullptr, arguments));
  OK(cuCtxSynchronize());
  Close(data);
}
