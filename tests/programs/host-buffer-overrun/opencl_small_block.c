// Defect: A write copies 64 floats from a block for 10 of them.
// Fix: The block has 64.
// EXPECT error host-buffer-overrun clEnqueueWriteBuffer at HERE
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kCount = 64 };
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kCount * sizeof(float), NULL, &error));
#ifdef DEFECT
  float* values = malloc(10 * sizeof(float));
  memset(values, 0, 10 * sizeof(float));
#else
  float* values = malloc(kCount * sizeof(float));
  memset(values, 0, kCount * sizeof(float));
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(float), values, 0, NULL, NULL));
  free(values);
  CLOSE(buffer);
}
