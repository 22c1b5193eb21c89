// Defect: A write ends past the end of a sub-buffer, though inside its parent.
// Fix: The write ends where the sub-buffer ends.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=1024
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const cl_buffer_region region = {1024, 1024};
  // @CREATED
  cl_mem part = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
#ifdef DEFECT
  const size_t bytes = 2048;
#else
  const size_t bytes = 1024;
#endif
  // @HERE
  clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  CLOSE(part, parent);
}
