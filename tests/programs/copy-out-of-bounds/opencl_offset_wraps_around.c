// Defect: A negative offset: offset plus size wraps around and looks small.
// Fix: The offset is not negative.
// EXPECT error copy-out-of-bounds clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=18446744073709551600
// EXPECT-FACT size_bytes=32
// EXPECT-FACT resource_bytes=4096
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  const size_t offset = (size_t)-16;
#else
  const size_t offset = 16;
#endif
  // @HERE
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 32, data, 0, NULL, NULL);
  CLOSE(buffer);
}
