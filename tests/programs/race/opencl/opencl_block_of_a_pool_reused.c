// Defect: A block of a pool of shared virtual memory is freed while a queue fills it, and the pool
// hands the same bytes out to another queue.
// Fix: The second queue waits for the event of the first.
// EXPECT error race clEnqueueSVMMemFill at HERE
// EXPECT-PARTY pending-command at USED
// EXPECT-FACT reused=1
#include "../../../../layer/runtime/gpusan.h"
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  char* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 65536, 0);
  const uint64_t pool = gpusan_pool_create(GPUSAN_API_OPENCL, (uint64_t)(uintptr_t)memory, 0);
  const uint64_t block = (uint64_t)(uintptr_t)(memory + 4096);
  const cl_uint zero = 0, one = 1;
  cl_event filled;
  gpusan_block_alloc(pool, block, 4096, GPUSAN_NO_STREAM, 0);
  // @USED
  OK(clEnqueueSVMMemFill(queue, memory + 4096, &zero, sizeof(zero), 4096, 0, NULL, &filled));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  gpusan_block_alloc(pool, block, 2048, GPUSAN_NO_STREAM, 0);
#ifdef DEFECT
  const cl_uint waits = 0;
#else
  const cl_uint waits = 1;
#endif
  // @HERE
  OK(clEnqueueSVMMemFill(other, memory + 4096, &one, sizeof(one), 2048, waits,
                         waits ? &filled : NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  gpusan_block_free(pool, block, GPUSAN_NO_STREAM);
  OK(clReleaseEvent(filled));
  clSVMFree(context, memory);
  CLOSE(other);
}
