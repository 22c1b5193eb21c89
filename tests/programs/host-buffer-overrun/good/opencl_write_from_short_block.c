// A buffer is filled from a host block of its size.
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { n = 2048 };
  float* data = calloc(sizeof(float), n);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, n * sizeof(float), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, n * sizeof(float), data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
