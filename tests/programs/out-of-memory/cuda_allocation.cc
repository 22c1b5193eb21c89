// Defect: The program allocates more memory than there is.
// Fix: The program allocates less.
#include "common/cuda.h"

// Defect: The program allocates more memory than any device has, while it holds other memory.
// Fix: The size is small.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at HERE
// EXPECT-PARTY holder at CREATED
// EXPECT-FACT requested_bytes=4398046511104
static void AbsurdAllocation() {
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
  Release(held);
}

// Defect: More memory than there is, while the pool of the device holds some.
// Fix: Less memory than there is, while the pool of the device holds some.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at HERE_2
// EXPECT-FACT pool_reserved_bytes~^[1-9]
// EXPECT-FACT free_bytes~^[0-9]+$
// EXPECT-FACT total_bytes~^[1-9]
// EXPECT-TEXT memory pool reserves
static void PoolHoldsMemory() {
  CUstream stream = NewStream();
  CUdeviceptr ordered, more;
  OK(cuMemAllocAsync(&ordered, 64 << 20, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 42;
#else
  const size_t bytes = (size_t)1 << 20;
#endif
  // @HERE_2
  if (cuMemAlloc(&more, bytes) == CUDA_SUCCESS) OK(cuMemFree(more));
  OK(cuMemFreeAsync(ordered, stream));
  OK(cuStreamSynchronize(stream));
  Release(stream);
}

int main() {
  Open();
  AbsurdAllocation();
  PoolHoldsMemory();
  Close();
}
