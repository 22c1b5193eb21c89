// Defect: CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY exclude each other.
// Fix: CL_MEM_READ_WRITE: kernels read and write the buffer.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_VALUE at HERE
// EXPECT-TEXT CL_MEM_READ_WRITE
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
