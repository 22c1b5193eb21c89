// Defect: A host pointer without a flag that says how to use it.
// Fix: CL_MEM_COPY_HOST_PTR: the buffer starts with the data of the host.
// EXPECT error flag-conflict clCreateBuffer CL_INVALID_HOST_PTR at HERE
// EXPECT-TEXT CL_MEM_COPY_HOST_PTR
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, flags, sizeof(data), data, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
