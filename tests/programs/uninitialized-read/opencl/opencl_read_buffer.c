// Defect: A buffer is read that nothing has written.
// Fix: A buffer is read after it was filled.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char result[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifndef DEFECT
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  CLOSE(buffer);
}
