// The second half of a buffer is read.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  const size_t bytes = 4096 - 2048;
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 2048, bytes, data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
