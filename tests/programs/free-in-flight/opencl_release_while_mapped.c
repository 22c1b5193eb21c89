// Defect: The last reference of a buffer is released while the host has it mapped.
// Fix: A buffer is unmapped before its last reference is released.
// EXPECT error free-in-flight clReleaseMemObject at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY map at MAPPED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MAPPED
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  memset(mapped, 0, 4096);
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  // @HERE
  OK(clReleaseMemObject(buffer));
  OK(clFinish(queue));
  Close();
}
