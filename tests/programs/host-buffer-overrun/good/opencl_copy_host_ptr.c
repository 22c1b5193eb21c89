// A buffer is created with the data of a host block of its size.
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { n = 1024 };
  float* data = calloc(sizeof(float), n);
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), data, &error));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
