// Memory is copied on the device that nothing has written.
// EXPECT warning uninitialized-read cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to = NewMemory(4096);
  // @CREATED
  OK(cuMemAlloc(&from, 4096));
  // @HERE
  OK(cuMemcpyDtoD(to, from, 4096));
  OK(cuCtxSynchronize());
  OK(cuMemFree(to));
  OK(cuMemFree(from));
  Close();
}
