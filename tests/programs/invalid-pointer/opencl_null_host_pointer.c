// Defect: A buffer is written from NULL.
// Fix: A buffer is written from an array.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char array[1024];
#ifdef DEFECT
  const char* data = NULL;
#else
  const char* data = array;
#endif
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(array), NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(array), data, 0, NULL, NULL);
  CLOSE(buffer);
}
