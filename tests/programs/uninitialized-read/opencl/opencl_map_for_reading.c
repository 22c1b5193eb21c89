// Defect: A buffer is mapped for reading that nothing has written.
// Fix: A buffer is mapped for reading after a fill.
// EXPECT warning uninitialized-read clEnqueueMapBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifndef DEFECT
  const cl_uint zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
#endif
  // @HERE
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
