// Defect: Memory is downloaded that nothing has written.
// Fix: Memory is filled and downloaded.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifndef DEFECT
  OK(cuMemsetD8(buffer, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoH(result, buffer, 4096));
  Close(buffer);
}
