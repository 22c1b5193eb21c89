// A wait list without events has no length.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const cl_uint events = 0;
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, events, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
