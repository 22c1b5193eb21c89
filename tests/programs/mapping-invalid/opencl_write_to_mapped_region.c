// Defect: A command writes the part of a buffer that the host has mapped.
// Fix: A command writes the part of a buffer that the host has not mapped.
// EXPECT error mapping-invalid clEnqueueWriteBuffer at HERE
// EXPECT-PARTY map at MAPPED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MAPPED
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 2048, 0, NULL, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 2048;
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
