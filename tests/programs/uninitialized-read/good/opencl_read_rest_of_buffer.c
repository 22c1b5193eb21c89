// The part of a buffer is read that was written.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[2048];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 2048, data, 0, NULL, NULL));
  const size_t offset = 0;
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 2048, data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  Close();
}
