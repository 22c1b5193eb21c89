// The host rows of a rectangle are as long as the rectangle is wide.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {64, 16, 1};
  const size_t pitch = 64;
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, pitch, 0, data,
                           0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
