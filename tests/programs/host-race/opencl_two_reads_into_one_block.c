// Defect: Two queues read into the same host block, and nothing orders them.
// Fix: Two queues read into the two halves of a host block.
// EXPECT error host-race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at FIRST
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_command_queue second = NewQueue(0);
  cl_mem one = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  cl_mem two = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  char* result = malloc(8192);
#ifdef DEFECT
  char* place = result + 2048;
#else
  char* place = result + 4096;
#endif
  // @FIRST
  OK(clEnqueueReadBuffer(queue, one, CL_FALSE, 0, 4096, result, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBuffer(second, two, CL_FALSE, 0, 4096, place, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(second));
  free(result);
  CLOSE(two, one, second);
}
