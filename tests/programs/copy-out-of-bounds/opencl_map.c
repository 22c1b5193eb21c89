// Defect: A mapping ends past the end of the buffer.
// Fix: A mapping ends at the end of the buffer.
// EXPECT error copy-out-of-bounds clEnqueueMapBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 0;
#endif
  // @HERE
  void* mapped =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, offset, 4096, 0, NULL, NULL, &error);
  if (error == CL_SUCCESS) OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
