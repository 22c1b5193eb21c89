// Defect: A block that the program's own pool hands out in the order of one stream is used on
// another stream, which waits for nothing.
// Fix: The other stream waits for an event after the allocation.
// EXPECT error stream-order-alloc cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  CUstream owner = NewStream(), other = NewStream();
  CUevent allocated = NewEvent();
  char* data = NewPinned(4096);
  const CUdeviceptr block = pool_memory;
  // @CREATED
  gpusan_block_alloc(pool, block, 4096, Number(owner), 0);
  OK(cuEventRecord(allocated, owner));
#ifndef DEFECT
  OK(cuStreamWaitEvent(other, allocated, 0));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(block, data, 4096, other));
  gpusan_block_use(pool, block, Number(other));
  gpusan_block_free(pool, block, Number(owner));
  OK(cuCtxSynchronize());
  ClosePool();
  Close(data, allocated, other, owner);
}
