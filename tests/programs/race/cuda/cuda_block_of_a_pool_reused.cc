// Defect: A block of the program's own pool is freed while another stream still uses it, and the
// pool hands the same bytes out again.
// Fix: The stream that owns the blocks waits for the other one before the block is freed.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at USED
// EXPECT-PARTY allocation at AGAIN
// EXPECT-FACT hazard=WAR
// EXPECT-FACT reused=1
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  CUstream owner = NewStream(), other = NewStream();
  CUevent filled = NewEvent(), used = NewEvent();
  char* data = NewPinned(4096);
  const CUdeviceptr block = pool_memory + 8192;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  OK(cuMemsetD8Async(block, 1, 4096, owner));
  OK(cuEventRecord(filled, owner));
  OK(cuStreamWaitEvent(other, filled, 0));
  // @USED
  OK(cuMemcpyDtoHAsync(data, block, 4096, other));
  OK(cuEventRecord(used, other));
#ifndef DEFECT
  OK(cuStreamWaitEvent(owner, used, 0));
#endif
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  // @AGAIN
  gpusan_block_alloc(pool, block, 2048, GPUSAN_NO_STREAM, 0);
  // @HERE
  OK(cuMemsetD8Async(block, 2, 2048, owner));
  OK(cuCtxSynchronize());
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
  Close(data, used, filled, other, owner);
}
