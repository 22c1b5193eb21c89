// Defect: Page-locked host memory is freed as device memory.
// Fix: Page-locked host memory is freed by cuMemFreeHost.
// EXPECT error mismatched-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 4096, 0));
#ifdef DEFECT
  // @HERE
  cuMemFree((CUdeviceptr)data);
#endif
  Close(data);
}
