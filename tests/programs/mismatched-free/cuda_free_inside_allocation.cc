// Defect: A pointer into device memory is freed that is not its beginning.
// Fix: The pointer is freed that the allocation returned.
// EXPECT error mismatched-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  // @HERE
  cuMemFree(buffer + 1024);
#endif
  Close(buffer);
}
