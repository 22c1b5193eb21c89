// Defect: A buffer is created from a host block that a read, for which nothing has waited, still fills.
// Fix: The host waits for the read first.
// EXPECT error host-race clCreateBuffer at HERE
// EXPECT-PARTY pending-command at READ
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  char* data = calloc(1, 8192);
  // @READ
  OK(clEnqueueReadBuffer(queue, from, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 8192, data, &error));
  OK(clFinish(queue));
  free(data);
  CLOSE(copy, from);
}
