// Defect: Memory of several kinds is freed twice.
// Fix: The memory is freed once.
#include "common/cuda.h"
#include "common/cuda_pool.h"

// Defect: Device memory is freed twice.
// Fix: Device memory is freed once.
// EXPECT error double-free cuMemFree_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
static void Memory() {
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  // @RELEASED
  OK(cuMemFree(buffer));
#ifdef DEFECT
  // @HERE
  cuMemFree(buffer);
#endif
}

// Defect: Memory of the stream-ordered allocator is freed in its stream and again by cuMemFree.
// Fix: The memory is freed once, in its stream.
// EXPECT error double-free cuMemFree_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
static void FreeBehindFreeAsync() {
  CUstream stream = NewStream();
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAllocAsync(&buffer, 4096, stream));
  OK(cuMemsetD8Async(buffer, 0, 4096, stream));
  // @RELEASED_2
  OK(cuMemFreeAsync(buffer, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @HERE_2
  cuMemFree(buffer);
#endif
  Release(stream);
}

// Defect: A block is given back to the program's own pool twice.
// Fix: It is given back once.
// EXPECT error double-free gpusan_block_free at HERE_3
// EXPECT-PARTY release at RELEASED_3
static void BlockOfAPool() {
  OpenPool(0);
  const CUdeviceptr block = pool_memory + 4096;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  // @RELEASED_3
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#ifdef DEFECT
  // @HERE_3
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#endif
  ClosePool();
}

// Defect: Page-locked memory is freed twice.
// Fix: Page-locked memory is freed once.
// EXPECT error double-free cuMemFreeHost at HERE_4
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-PARTY release at RELEASED_4
static void PageLockedMemory() {
  void* data;
  // @CREATED_3
  OK(cuMemHostAlloc(&data, 4096, 0));
  // @RELEASED_4
  OK(cuMemFreeHost(data));
#ifdef DEFECT
  // @HERE_4
  cuMemFreeHost(data);
#endif
}

int main() {
  Open();
  Memory();
  FreeBehindFreeAsync();
  BlockOfAPool();
  PageLockedMemory();
  Close();
}
