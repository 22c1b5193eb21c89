// Defect: A block of the program's own pool is uploaded into after the pool took it back.
// Fix: The pool takes the block back after the upload.
// EXPECT error use-after-free cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(GPUSAN_POOL_EXACT);
  char data[4096] = {};
  const CUdeviceptr block = pool_memory + 4096;
  // @CREATED
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  // @RELEASED
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#endif
  // @HERE
  OK(cuMemcpyHtoD(block + 64, data, 1024));
#ifndef DEFECT
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#endif
  ClosePool();
  Close();
}
