// Defect: An out-of-order queue: a buffer is overwritten while a copy from it may still run.
// Fix: An out-of-order queue: a barrier stands between the copy from a buffer and the next write to
// it.
// EXPECT error race clEnqueueFillBuffer at HERE
// EXPECT-PARTY pending-command at READ
// EXPECT-FACT hazard=WAR
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static char data[4096];
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @READ
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, 4096, 0, NULL, NULL));
#ifndef DEFECT
  OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(to, from);
}
