// An upload to memory that has been freed.
// EXPECT error use-after-free cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  // @RELEASED
  OK(cuMemFree(buffer));
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
  Close();
}
