// An out-of-order queue: a blocking read orders the host, so what is enqueued afterwards needs no
// event.
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  char* data = malloc(4096);
  memset(data, 'b', 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data, 0, NULL, NULL));
  printf("%c\n", data[4095]);
  free(data);
  CLOSE(buffer);
}
