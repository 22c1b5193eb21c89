// A buffer that kernels read and write is CL_MEM_READ_WRITE.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
