// Defect: A sub-buffer of a buffer that kernels may only read lets kernels write.
// Fix: The sub-buffer inherits the access of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT parent_flags=CL_MEM_READ_ONLY
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#else
  const cl_mem_flags flags = 0;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  CLOSE(parent);
}
