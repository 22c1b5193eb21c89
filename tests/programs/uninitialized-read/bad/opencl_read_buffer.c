// A buffer is read that nothing has written.
// EXPECT error uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char result[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  Close();
}
