// Defect: A block of a pool of shared virtual memory is mapped after the pool took it back.
// Fix: The pool takes the block back after the map.
// EXPECT error use-after-free clEnqueueSVMMap at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT error use-after-free clEnqueueSVMUnmap at UNMAP
#include "../../../../layer/runtime/gpusan.h"
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 65536, 0);
  const uint64_t pool =
      gpusan_pool_create(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)memory, GPUSAN_POOL_EXACT);
  char* block = memory + 4096;
  // @CREATED
  gpusan_block_alloc(pool, (uint64_t)(uintptr_t)block, 4096, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  // @RELEASED
  gpusan_block_free(pool, (uint64_t)(uintptr_t)block, GPUSAN_NO_STREAM);
#endif
  // @HERE
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, block, 4096, 0, NULL, NULL));
  // @UNMAP
  OK(clEnqueueSVMUnmap(queue, block, 0, NULL, NULL));
  OK(clFinish(queue));
#ifndef DEFECT
  gpusan_block_free(pool, (uint64_t)(uintptr_t)block, GPUSAN_NO_STREAM);
#endif
  clSVMFree(context, memory);
  Close();
}
