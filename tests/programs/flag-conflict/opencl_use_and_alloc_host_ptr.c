// Defect: CL_MEM_USE_HOST_PTR and CL_MEM_ALLOC_HOST_PTR exclude each other.
// Fix: CL_MEM_USE_HOST_PTR only.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_VALUE at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096] __attribute__((aligned(4096)));
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(data), data, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
