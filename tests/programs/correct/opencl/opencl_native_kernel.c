// A native kernel reads one buffer and writes another; the queue is in-order.
#include "common/opencl.h"

static void CL_CALLBACK Twice(void* arguments) {
  int** pointers = arguments;
  for (int i = 0; i < 64; ++i) pointers[1][i] = 2 * pointers[0][i];
}

int main(void) {
  Open(0);
  int data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_mem buffers[2];
  buffers[0] = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  buffers[1] = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  void* arguments[2] = {NULL, NULL};
  const void* places[2] = {&arguments[0], &arguments[1]};
  OK(clEnqueueNativeKernel(queue, Twice, arguments, sizeof(arguments), 2, buffers, places, 0, NULL,
                           NULL));
  OK(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  CLOSE(buffers[1], buffers[0]);
}
