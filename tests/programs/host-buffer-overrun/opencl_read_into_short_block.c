// Defect: The result of a read is longer than the host block. (The page after the block makes the
// overrun harmless.)
// Fix: The result of a read is as long as the host block.
// EXPECT error host-buffer-overrun clEnqueueReadBuffer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=261888
// EXPECT-FACT block_bytes=261632
#include <malloc.h>

#include "common/opencl.h"

int main(void) {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  Open(0);
  enum { bytes = 256 * 1024 - 256 };
  const cl_int zero = 0;
#ifdef DEFECT
  // @BLOCK
  char* result = malloc(bytes - 256);
#else
  char* result = malloc(bytes);
#endif
  cl_mem buffer = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, bytes, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, result, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(result);
  Close();
}
