// A buffer in the program's own memory.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096] __attribute__((aligned(4096)));
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR;
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(data), data, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
