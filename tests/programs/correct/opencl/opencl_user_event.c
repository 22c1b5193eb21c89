// Commands of two queues wait for a user event; the host writes what they read before it sets the
// event.
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static char data[4096], result[4096];
  cl_event ready = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event written, read;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 1, &ready, &written));
  const cl_event both[2] = {ready, written};
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4096, result, 2, both, &read));
  memset(data, 'u', sizeof(data));
  OK(clSetUserEventStatus(ready, CL_COMPLETE));
  OK(clReleaseEvent(ready));
  OK(clWaitForEvents(1, &read));
  printf("%c\n", result[4095]);
  CLOSE(read, written, buffer);
}
