// A buffer is created with the size that was meant.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  const size_t bytes = sizeof(data);
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, NULL);
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  if (buffer) OK(clReleaseMemObject(buffer));
  Close();
}
