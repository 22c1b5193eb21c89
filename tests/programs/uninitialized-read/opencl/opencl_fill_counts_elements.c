// Defect: A fill gets the number of elements as its size, and all bytes are downloaded.
// Fix: A fill gets the size in bytes.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-FACT written_bytes=1024
#include "common/opencl.h"

int main(void) {
  Open(0);
  static float result[1024];
  cl_mem sums = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const float zero = 0;
#ifdef DEFECT
  const size_t size = 1024;
#else
  const size_t size = sizeof(result);
#endif
  OK(clEnqueueFillBuffer(queue, sums, &zero, sizeof(zero), 0, size, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  CLOSE(sums);
}
