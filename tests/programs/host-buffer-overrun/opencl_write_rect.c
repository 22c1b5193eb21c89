// Defect: The rows of a rectangle are further apart on the host than the block is long.
// Fix: The rows of a rectangle are as far apart on the host as the block says.
// EXPECT error host-buffer-overrun clEnqueueWriteBufferRect at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=1984
// EXPECT-FACT block_bytes=1024
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @BLOCK
  char* data = calloc(16, 64);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const size_t region[3] = {64, 16, 1};
#ifdef DEFECT
  const size_t pitch = 128;
#else
  const size_t pitch = 64;
#endif
  // @HERE
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 64, 0, pitch, 0,
                              data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
