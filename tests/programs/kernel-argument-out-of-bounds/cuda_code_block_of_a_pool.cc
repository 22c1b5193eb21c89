// Defect: A kernel writes past the end of a block of the program's own pool, into the next block.
// Fix: The count is that of the block.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
#include "common/cuda_machine_code.h"
#include "common/cuda_pool.h"

int main() {
  Open();
  OpenPool(0);
  CUfunction set = CodeKernel(CODE_SET);
  const CUdeviceptr block = pool_memory, next = pool_memory + 4096;
  // @CREATED
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  gpusan_block_alloc(pool, next, 4096, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  int count = 1025;
#else
  int count = 1024;
#endif
  int value = 5;
  void* arguments[] = {(void*)&block, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 5, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  gpusan_block_free(pool, next, GPUSAN_NO_STREAM);
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  ClosePool();
  Close();
}
