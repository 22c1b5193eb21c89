// Defect: More bytes are written than the buffer was created with: a kilobyte was forgotten.
// Fix: As many bytes are written as the buffer was created with.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=0
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=3072
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { n = 1024 };
  static float data[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  CLOSE(buffer);
}
