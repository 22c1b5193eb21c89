// Defect: A block that the program's own pool hands out again is downloaded before it is written:
// its content is that of the block before.
// Fix: The block is filled first.
// EXPECT warning uninitialized-read cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at AGAIN
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  char data[4096] = {};
  const CUdeviceptr block = pool_memory + 4096;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemcpyHtoD(block, data, 4096));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  // @AGAIN
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
#ifndef DEFECT
  OK(cuMemsetD8(block, 0, 4096));
#endif
  // @HERE
  OK(cuMemcpyDtoH(data, block, 4096));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
  Close();
}
