// Defect: The offset of a read is right and its size is that of the whole buffer.
// Fix: The size is that of the second half.
// EXPECT error copy-out-of-bounds clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4096 - 2048;
#endif
  // @HERE
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 2048, bytes, data, 0, NULL, NULL);
  CLOSE(buffer);
}
