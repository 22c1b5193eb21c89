// Defect: A buffer is filled from a host block a quarter of its size: elements were taken for
// bytes.
// Fix: The host block has the size of the buffer.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=8192
// EXPECT-FACT block_bytes=2048
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { n = 2048 };
#ifdef DEFECT
  // @BLOCK
  float* data = calloc(1, n);
#else
  float* data = calloc(sizeof(float), n);
#endif
  cl_mem buffer = MADE(clCreateBuffer(context, 0, n * sizeof(float), NULL, &error));
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, n * sizeof(float), data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
