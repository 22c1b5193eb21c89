// Defect: A block of the program's own pool is never given back. The pool's allocation is kept
// until the end, and is no leak of its own.
// Fix: The block is given back, and the pool's allocation is freed.
// EXPECT error leak gpusan_block_alloc at CREATED
// EXPECT-FACT leaked_bytes=4096
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  const CUdeviceptr block = pool_memory + 4096;
  // @CREATED
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemsetD8(block, 0, 4096));
#ifndef DEFECT
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
#endif
  Close();
}
