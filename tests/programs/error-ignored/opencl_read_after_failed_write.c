// Defect: The write of a buffer fails. The program ignores the error and reads the buffer.
// Fix: The write succeeds.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at FAILED
// EXPECT error error-ignored clEnqueueReadBuffer at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CL_INVALID_VALUE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[2048];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 1024, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 2048;
#else
  const size_t bytes = 1024;
#endif
  // @FAILED
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, NULL, NULL));
  CLOSE(buffer);
}
