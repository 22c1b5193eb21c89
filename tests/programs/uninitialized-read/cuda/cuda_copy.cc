// Defect: Memory is copied on the device that nothing has written.
// Fix: Memory is filled and copied on the device.
// EXPECT warning uninitialized-read cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&from, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(from, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoD(to, from, 4096));
  OK(cuCtxSynchronize());
  Close(to, from);
}
