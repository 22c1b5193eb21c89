// Page-locked host memory is freed as device memory.
// EXPECT error mismatched-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemHostAlloc(&data, 4096, 0));
  // @HERE
  cuMemFree((CUdeviceptr)data);
  OK(cuMemFreeHost(data));
  Close();
}
