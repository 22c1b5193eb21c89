// Defect: The program allocates more memory than there is, or than its pool may hold.
// Fix: The program allocates what there is.
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

// Defect: The program finds out how much memory it gets by halving its request until it succeeds.
// Fix: The program asks for as much memory as it needs.
// EXPECT note out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY at HERE_3
// EXPECT-COUNT any
// EXPECT-TEXT the program then allocated
static void FallsBackToLess() {
#ifdef DEFECT
  size_t bytes = (size_t)1 << 42;
#else
  size_t bytes = (size_t)1 << 20;
#endif
  CUdeviceptr memory;
  for (;; bytes /= 2) {
    // @HERE_3
    if (cuMemAlloc(&memory, bytes) == CUDA_SUCCESS) break;
  }
  Release(memory);
}

// Defect: The program allocates more from its pool than the pool may hold, and then frees memory
// and tries again.
// Fix: The program frees memory before the pool is full.
// A GPU takes 32 MiB of memory at a time, and rounds maxSize up to a multiple of them.
// EXPECT note out-of-memory cuMemAllocFromPoolAsync CUDA_ERROR_OUT_OF_MEMORY at HERE_4
// EXPECT-TEXT maxSize of 64 MiB, 48 MiB of them are in use
// EXPECT-TEXT the program then allocated 32 MiB
static void PoolOfLimitedSize() {
  CUstream stream = NewStream();
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.maxSize = 64 << 20;
  CUmemoryPool pool;
  OK(cuMemPoolCreate(&pool, &properties));
  CUdeviceptr first, second = 0;
  OK(cuMemAllocFromPoolAsync(&first, 48 << 20, pool, stream));
#ifndef DEFECT
  OK(cuMemFreeAsync(first, stream));
  first = 0;
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE_4
  if (cuMemAllocFromPoolAsync(&second, 32 << 20, pool, stream) != CUDA_SUCCESS) {
    OK(cuMemFreeAsync(first, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemPoolTrimTo(pool, 0));
    OK(cuMemAllocFromPoolAsync(&second, 32 << 20, pool, stream));
  }
  OK(cuMemFreeAsync(second, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemPoolDestroy(pool));
  Release(stream);
}

int main() {
  Open();
  AbsurdAllocation();
  PoolHoldsMemory();
  FallsBackToLess();
  PoolOfLimitedSize();
  Close();
}
