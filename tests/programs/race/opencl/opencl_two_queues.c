// Defect: Two in-order queues: one writes a buffer, the other reads it, and nothing orders them.
// Fix: Two in-order queues: the one that reads waits for the one that writes.
// EXPECT error race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096], result[4096];
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
#ifdef DEFECT
  OK(clFlush(queue));
#else
  OK(clFinish(queue));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer, second);
}
