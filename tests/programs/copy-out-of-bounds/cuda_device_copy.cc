// Defect: A copy on the device is longer than its destination.
// Fix: A copy on the device is as long as its destination.
// EXPECT error copy-out-of-bounds cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr from, to;
  OK(cuMemAlloc(&from, 8192));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 8192;
#endif
  // @CREATED
  OK(cuMemAlloc(&to, bytes));
  OK(cuMemsetD8(from, 1, 8192));
  // @HERE
  cuMemcpyDtoD(to, from, 8192);
  Close(to, from);
}
