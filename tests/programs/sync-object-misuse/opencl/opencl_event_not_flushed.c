// Defect: A command waits for an event of another queue, which was not flushed.
// Fix: The program flushes that queue first.
// EXPECT note sync-object-misuse clEnqueueReadBuffer at HERE
// EXPECT-PARTY command at FILLED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int result[256];
  const cl_int one = 1;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event filled;
  // @FILLED
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, &filled));
#ifndef DEFECT
  OK(clFlush(queue));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, sizeof(result), result, 1, &filled, NULL));
  printf("%d\n", result[255]);
  CLOSE(filled, buffer, second);
}
