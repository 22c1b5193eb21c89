// Defect: Another queue reads the target of a non-blocking download before the host has waited for
// the download.
// Fix: The other queue reads it when the download has ended.
// EXPECT error host-race clEnqueueWriteBuffer at HERE
// EXPECT-PARTY pending-command at FIRST
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_command_queue second = NewQueue(0);
  cl_mem one = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  cl_mem two = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  char* result = calloc(1, 4096);
  // @FIRST
  OK(clEnqueueReadBuffer(queue, one, CL_FALSE, 0, 4096, result, 0, NULL, NULL));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(second, two, CL_FALSE, 0, 4096, result, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(second));
  free(result);
  CLOSE(two, one, second);
}
