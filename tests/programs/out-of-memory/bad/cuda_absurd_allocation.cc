// More memory is asked for than any device has, while other memory is held.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at HERE
// EXPECT-PARTY holder at CREATED
// EXPECT-FACT requested_bytes=4398046511104
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr held, more;
  // @CREATED
  OK(cuMemAlloc(&held, 1 << 20));
  const size_t bytes = (size_t)1 << 42;
  // @HERE
  if (cuMemAlloc(&more, bytes) == CUDA_SUCCESS) OK(cuMemFree(more));
  OK(cuMemFree(held));
  Close();
}
