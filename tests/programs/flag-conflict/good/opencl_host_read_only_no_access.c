// A buffer that the host only reads.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_mem_flags flags = CL_MEM_HOST_READ_ONLY;
  cl_mem buffer = clCreateBuffer(context, flags, 4096, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
