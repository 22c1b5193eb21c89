// Defect: A mapping is undone twice.
// Fix: A mapping is undone once.
// EXPECT error mapping-invalid clEnqueueUnmapMemObject at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
#ifdef DEFECT
  // @HERE
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
#endif
  OK(clFinish(queue));
  CLOSE(buffer);
}
