// The write of a buffer succeeds, and what it has written is read.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[2048];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 1024, NULL, &error));
  const size_t bytes = 1024;
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  Close();
}
