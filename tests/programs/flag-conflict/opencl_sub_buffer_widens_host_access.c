// Defect: A sub-buffer of a buffer that the host may not access lets the host read.
// Fix: The sub-buffer inherits the access of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_ONLY;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  CLOSE(parent);
}
