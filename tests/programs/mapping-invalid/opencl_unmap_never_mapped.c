// Defect: The host pointer of a buffer is unmapped that was never mapped.
// Fix: The host pointer of a buffer is unmapped after it was mapped.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096] __attribute__((aligned(4096)));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  void* mapped = data;
#else
  void* mapped =
      MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
#endif
  // @HERE
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(buffer);
}
