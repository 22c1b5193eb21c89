// As many bytes are written as the buffer was created with.
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { n = 1024 };
  static float data[n];
  const size_t bytes = n * sizeof(float);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
