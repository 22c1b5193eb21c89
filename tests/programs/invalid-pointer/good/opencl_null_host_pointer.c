// A buffer is written from an array.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char array[1024];
  const char* data = array;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(array), NULL, &error));
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(array), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
