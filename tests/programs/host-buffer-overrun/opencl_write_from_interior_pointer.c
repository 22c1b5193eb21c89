// Defect: The host pointer is in the middle of its block, and the size is that of the whole.
// Fix: The size is that of the rest of the block.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=3072
// EXPECT-TEXT 1024 B into a block
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @BLOCK
  char* data = calloc(1, 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4096 - 1024;
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data + 1024, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
