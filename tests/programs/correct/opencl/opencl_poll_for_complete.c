// The host polls the status of an event; CL_COMPLETE is as good as a wait: memory is freed,
// another queue goes on.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue second = NewQueue(0);
  static char result[8192];
  char* data = malloc(8192);
  memset(data, 'x', 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, &written));
  OK(clFlush(queue));
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE) {
    OK(clGetEventInfo(written, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL));
  }
  free(data);
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, 8192, result, 0, NULL, NULL));
  printf("%c\n", result[8191]);
  CLOSE(written, buffer, second);
}
