// Defect: The last row of a rectangle begins past the end of the buffer.
// Fix: The last row of a rectangle is the last row of the buffer.
// EXPECT error copy-out-of-bounds clEnqueueWriteBufferRect at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT resource_bytes=4096
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[64 * 64];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const size_t rows = 33;
#else
  const size_t rows = 32;
#endif
  const size_t region[3] = {64, rows, 1};
  // @HERE
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, 64, 0, data, 0,
                           NULL, NULL);
  CLOSE(buffer);
}
