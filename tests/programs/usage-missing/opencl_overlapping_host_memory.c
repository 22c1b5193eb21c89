// Defect: A copy writes one of two buffers that use overlapping host memory, and reads the other.
// Fix: The buffers use host memory side by side.
// EXPECT error usage-missing clEnqueueCopyBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT shared_bytes=2048
#include "common/opencl.h"

static char memory[2 * 4096] __attribute__((aligned(4096)));

int main(void) {
  Open(0);
#ifdef DEFECT
  char* second = memory + 2048;
#else
  char* second = memory + 4096;
#endif
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, memory, &error));
  // @CREATED
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, second, &error));
  // @HERE
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, 2048, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(to, from);
}
