// Defect: A sub-buffer that is longer than what is left of its parent.
// Fix: A sub-buffer that ends with its parent.
// EXPECT warning call-failed clCreateSubBuffer CL_INVALID_VALUE at HERE
// EXPECT-TEXT origin 2048 \+ size 4096 reaches past the parent's 4096 B
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, 4096};
#else
  const cl_buffer_region part = {2048, 2048};
#endif
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  OK(clReleaseMemObject(parent));
  Close();
}
