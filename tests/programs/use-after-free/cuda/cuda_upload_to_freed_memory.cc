// Defect: An upload to memory that has been freed.
// Fix: The memory of an upload is freed after it.
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
#ifndef DEFECT
  cuMemcpyHtoD(buffer, data, 4096);
#endif
  // @RELEASED
  OK(cuMemFree(buffer));
#ifdef DEFECT
  // @HERE
  cuMemcpyHtoD(buffer, data, 4096);
#endif
  Close();
}
