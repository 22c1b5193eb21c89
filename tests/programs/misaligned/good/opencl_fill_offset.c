// A fill begins at a multiple of its pattern's size.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int4 pattern = {{1, 2, 3, 4}};
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const size_t offset = 16;
  clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), offset, 1024, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  Close();
}
