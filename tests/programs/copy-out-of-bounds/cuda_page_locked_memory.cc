// Defect: A download into page-locked memory is longer than the memory.
// Fix: A download into page-locked memory is as long as the memory.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewZeros(8192);
  void* result;
#ifdef DEFECT
  const size_t block = 8192 - 256;
#else
  const size_t block = 8192;
#endif
  // @CREATED
  OK(cuMemHostAlloc(&result, block, CU_MEMHOSTALLOC_PORTABLE));
  // @HERE
  cuMemcpyDtoH(result, buffer, 8192);
  Close(result, buffer);
}
