// A buffer is written from NULL.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char array[1024];
  const char* data = NULL;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(array), NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(array), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  Close();
}
