// Defect: A sub-buffer is created with a flag that says where its memory comes from.
// Fix: The memory of a sub-buffer is that of its parent.
// EXPECT error flag-conflict clCreateSubBuffer at HERE
// EXPECT-TEXT CL_MEM_ALLOC_HOST_PTR
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4096, NULL, &error));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_ALLOC_HOST_PTR;
#else
  const cl_mem_flags flags = 0;
#endif
  const cl_buffer_region part = {0, 2048};
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  CLOSE(parent);
}
