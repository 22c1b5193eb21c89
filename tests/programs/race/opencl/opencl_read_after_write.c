// Defect: An out-of-order queue: the result is read without waiting for the write.
// Fix: An out-of-order queue: the read waits for the write's event.
// EXPECT error race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static char data[4096], result[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event written;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 0, NULL, &written));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 0, NULL, NULL));
#else
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 1, &written, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(written, buffer);
}
