// Defect: fwrite takes the results from a host block that a read, for which nothing has waited, still fills.
// Fix: The host waits for the read first.
// EXPECT error host-race fwrite at HERE
// EXPECT-PARTY pending-command at READ
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char results[8192];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(results), NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(results), 0, NULL, NULL));
  FILE* file = fopen("/dev/null", "w");
  // @READ
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof(results), results, 0, NULL, NULL));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE
  fwrite(results, 1, sizeof(results), file);
  fclose(file);
  OK(clFinish(queue));
  CLOSE(buffer);
}
