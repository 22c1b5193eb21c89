// An out-of-order queue: the read waits for the write's event.
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static char data[4096], result[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 0, NULL, &written));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, result, 1, &written, NULL));
  OK(clFinish(queue));
  OK(clReleaseEvent(written));
  OK(clReleaseMemObject(buffer));
  Close();
}
