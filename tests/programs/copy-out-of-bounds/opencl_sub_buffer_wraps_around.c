// Defect: The size of a sub-buffer is the result of a subtraction below 0, so that origin + size wraps around.
// Fix: The size is what is left of the parent.
// EXPECT error copy-out-of-bounds clCreateSubBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT wraps around
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, (size_t)1024 - 2048};
#else
  const cl_buffer_region part = {2048, 1024};
#endif
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  CLOSE(parent);
}
