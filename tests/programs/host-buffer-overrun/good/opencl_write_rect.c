// The rows of a rectangle are as far apart on the host as the block says.
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* data = calloc(16, 64);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const size_t region[3] = {64, 16, 1};
  const size_t pitch = 64;
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 64, 0, pitch, 0,
                              data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
