// A buffer is written through a queue of its own context.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseContext(other));
  Close();
}
