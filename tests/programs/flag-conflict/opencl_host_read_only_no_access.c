// Defect: CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS exclude each other.
// Fix: CL_MEM_HOST_READ_ONLY only.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_VALUE at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
#else
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
