// Memory is downloaded that nothing has written.
// EXPECT error uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  // @HERE
  OK(cuMemcpyDtoH(result, buffer, 4096));
  OK(cuMemFree(buffer));
  Close();
}
