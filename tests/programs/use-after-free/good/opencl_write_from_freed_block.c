// A buffer is written from a host block that is freed a line later.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  char* data = calloc(1, 8192);
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
  free(data);
  OK(clReleaseMemObject(buffer));
  Close();
}
