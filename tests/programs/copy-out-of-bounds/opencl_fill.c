// Defect: A fill counts elements of four bytes where the call wants bytes, and one too many.
// Fix: A fill covers the whole buffer.
// EXPECT error copy-out-of-bounds clEnqueueFillBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=0
// EXPECT-FACT size_bytes=4100
// EXPECT-FACT resource_bytes=4096
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int zero = 0;
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 1025 * sizeof(cl_int);
#else
  const size_t bytes = 1024 * sizeof(cl_int);
#endif
  // @HERE
  clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, bytes, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(buffer);
}
