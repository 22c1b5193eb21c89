// Defect: The host maps a buffer for writing that it declared only to read.
// Fix: The host maps a buffer for reading that it declared only to read.
// EXPECT error host-access-flag clEnqueueMapBuffer CL_INVALID_OPERATION at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  const cl_mem_flags flags = CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_READ_ONLY;
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
#ifdef DEFECT
  const cl_map_flags access = CL_MAP_WRITE;
#else
  const cl_map_flags access = CL_MAP_READ;
#endif
  // @HERE
  void* mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, access, 0, 4096, 0, NULL, NULL, &error);
  if (error == CL_SUCCESS) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
