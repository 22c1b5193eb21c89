// Defect: The program allocates more memory than any device has, while it holds other memory.
// Fix: The size is small.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at HERE
// EXPECT-PARTY holder at CREATED
// EXPECT-FACT requested_bytes=4398046511104
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr held, more;
  // @CREATED
  OK(cuMemAlloc(&held, 1 << 20));
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 20;
#endif
  // @HERE
  if (cuMemAlloc(&more, bytes) == CUDA_SUCCESS) OK(cuMemFree(more));
  Close(held);
}
