// Defect: An upload into a block of the program's own pool is longer than the block. The pool's
// allocation is long enough.
// Fix: The upload has the size of the block.
// EXPECT error copy-out-of-bounds cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  CUstream stream = NewStream();
  char* data = NewPinned(8192);
  const CUdeviceptr block = pool_memory + 4096;
  // @CREATED
  gpusan_block_alloc(pool, block, 4096, Number(stream), 0);
#ifdef DEFECT
  const size_t bytes = 4100;
#else
  const size_t bytes = 4096;
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(block, data, bytes, stream));
  OK(cuStreamSynchronize(stream));
  gpusan_block_free(pool, block, Number(stream));
  ClosePool();
  Close(data, stream);
}
