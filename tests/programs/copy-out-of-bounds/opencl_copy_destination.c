// Defect: A copy ends past the end of its destination.
// Fix: A copy ends at the end of its destination.
// EXPECT error copy-out-of-bounds clEnqueueCopyBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=2048
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  // @CREATED
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 2048, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 0;
#endif
  // @HERE
  clEnqueueCopyBuffer(queue, from, to, 0, offset, 2048, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(to, from);
}
