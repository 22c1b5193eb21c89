// Defect: The part of a buffer is read that nothing has written.
// Fix: The part of a buffer is read that was written.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[2048];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 2048, data, 0, NULL, NULL));
#ifdef DEFECT
  const size_t offset = 2048;
#else
  const size_t offset = 0;
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 2048, data, 0, NULL, NULL));
  CLOSE(buffer);
}
