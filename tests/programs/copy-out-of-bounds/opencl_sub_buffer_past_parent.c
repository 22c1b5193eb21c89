// Defect: A sub-buffer that is longer than what is left of its parent.
// Fix: A sub-buffer that ends with its parent.
// EXPECT error copy-out-of-bounds clCreateSubBuffer CL_INVALID_VALUE at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, 4096};
#else
  const cl_buffer_region part = {2048, 2048};
#endif
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  CLOSE(parent);
}
