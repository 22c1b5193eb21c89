// A mapping is undone twice.
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
  // @HERE
  clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  Close();
}
