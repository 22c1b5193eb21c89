// Defect: A copy that is recorded into a command buffer ends past the end of its destination.
// Fix: The copy ends at the end of its destination.
// EXPECT error copy-out-of-bounds clCommandCopyBufferKHR at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=1024
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=2048
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  static char data[4096];
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  // @CREATED
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 2048, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 0;
#endif
  // @HERE
  load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, offset, 2048, 0, NULL, NULL, NULL);
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(to, from);
}
