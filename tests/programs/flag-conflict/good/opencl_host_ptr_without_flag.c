// A host pointer whose data the buffer starts with.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(data), data, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
