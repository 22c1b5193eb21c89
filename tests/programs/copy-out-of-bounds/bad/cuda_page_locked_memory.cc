// A download into page-locked memory is longer than the memory.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewZeros(8192);
  void* result;
  const size_t block = 8192 - 256;
  // @CREATED
  OK(cuMemHostAlloc(&result, block, CU_MEMHOSTALLOC_PORTABLE));
  // @HERE
  cuMemcpyDtoH(result, buffer, 8192);
  OK(cuMemFreeHost(result));
  OK(cuMemFree(buffer));
  Close();
}
