// The host pointer of a buffer is unmapped that was never mapped.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096] __attribute__((aligned(4096)));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
  void* mapped = data;
  // @HERE
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  Close();
}
