// Defect: A block is given back to the program's own pool twice.
// Fix: It is given back once.
// EXPECT error double-free gpusan_block_free at HERE
// EXPECT-PARTY release at RELEASED
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  const CUdeviceptr block = pool_memory + 4096;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  // @RELEASED
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#ifdef DEFECT
  // @HERE
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
#endif
  ClosePool();
  Close();
}
