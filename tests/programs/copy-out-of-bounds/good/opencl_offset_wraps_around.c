// An offset that is not negative.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  const size_t offset = 16;
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 32, data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
