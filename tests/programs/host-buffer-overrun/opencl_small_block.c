// Defect: A read copies 64 floats into a block for 10 of them.
// Fix: The block has room for all.
// EXPECT error host-buffer-overrun clEnqueueReadBuffer at HERE
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kCount = 64 };
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kCount * sizeof(float), NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, kCount * sizeof(float), 0, NULL, NULL));
#ifdef DEFECT
  float* results = malloc(10 * sizeof(float));
#else
  float* results = malloc(kCount * sizeof(float));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(float), results, 0, NULL, NULL));
  printf("%d\n", results[0] != 0);
  free(results);
  OK(clReleaseMemObject(buffer));
  Close();
}
