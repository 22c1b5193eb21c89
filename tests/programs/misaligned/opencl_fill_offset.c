// Defect: A fill begins inside a pattern.
// Fix: A fill begins at a multiple of its pattern's size.
// EXPECT error misaligned clEnqueueFillBuffer CL_INVALID_VALUE at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=8
// EXPECT-FACT alignment_bytes=16
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int4 pattern = {{1, 2, 3, 4}};
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const size_t offset = 8;
#else
  const size_t offset = 16;
#endif
  // @HERE
  clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), offset, 1024, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(buffer);
}
