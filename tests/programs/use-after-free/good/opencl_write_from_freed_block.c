// A host block is freed after the buffer was filled from it.
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* data = calloc(1, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 8192, data, 0, NULL, NULL));
  free(data);
  OK(clReleaseMemObject(buffer));
  Close();
}
