// The host pointer is in the middle of its block, and the size is that of the rest.
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* data = calloc(1, 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const size_t bytes = 4096 - 1024;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data + 1024, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
