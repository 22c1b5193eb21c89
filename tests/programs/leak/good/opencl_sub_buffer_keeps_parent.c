// A buffer and its sub-buffer are released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem parent = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region part = {1024, 1024};
  cl_mem half = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  OK(clReleaseMemObject(half));
  OK(clReleaseMemObject(parent));
  Close();
}
