// A fill covers the whole buffer.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const size_t bytes = 1024 * sizeof(cl_int);
  clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, bytes, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  Close();
}
