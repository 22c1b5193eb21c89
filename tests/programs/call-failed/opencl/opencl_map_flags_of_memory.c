// Defect: The program passes a flag of cl_mem_flags as map_flags.
// Fix: It passes CL_MAP_READ.
// EXPECT error call-failed clEnqueueMapBuffer at HERE
// EXPECT-TEXT 0x20 is no flag
// EXPECT-FACT flags=32
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#ifdef DEFECT
  const cl_map_flags flags = CL_MEM_COPY_HOST_PTR;
#else
  const cl_map_flags flags = CL_MAP_READ;
#endif
  // @HERE
  void* mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, 4096, 0, NULL, NULL, &error);
  if (mapped != NULL) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
