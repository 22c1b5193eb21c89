// Defect: A migration of shared memory counts the bytes of a size in elements of four bytes again.
// Fix: It passes the size of the allocation.
// EXPECT error call-failed clEnqueueSVMMigrateMem at HERE
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=4096
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const size_t bytes = 4096;
  cl_int* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
  if (memory == NULL) return 1;
  const void* begins[] = {memory};
#ifdef DEFECT
  const size_t sizes[] = {bytes * sizeof(cl_int)};
#else
  const size_t sizes[] = {bytes};
#endif
  // @HERE
  OK(clEnqueueSVMMigrateMem(queue, 1, begins, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  // A part, and all of it.
  const void* parts[] = {memory + 512, memory};
  const size_t part_sizes[] = {2048, 0};
  OK(clEnqueueSVMMigrateMem(queue, 2, parts, part_sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  OK(clFinish(queue));
  clSVMFree(context, memory);
  Close();
}
