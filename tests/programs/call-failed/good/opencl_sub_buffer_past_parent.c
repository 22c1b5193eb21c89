// A sub-buffer that ends with its parent.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const cl_buffer_region part = {2048, 2048};
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  OK(clReleaseMemObject(parent));
  Close();
}
