// Defect: An out-of-order queue: two fills overlap by one element, whose final value is undefined.
// Fix: The two fills are adjacent.
// EXPECT error race clEnqueueFillBuffer at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_int one = 1, two = 2;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @FIRST
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 2048, 0, NULL, NULL));
#ifdef DEFECT
  const size_t offset = 2044;
#else
  const size_t offset = 2048;
#endif
  // @HERE
  OK(clEnqueueFillBuffer(queue, buffer, &two, sizeof(two), offset, 2048, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer);
}
