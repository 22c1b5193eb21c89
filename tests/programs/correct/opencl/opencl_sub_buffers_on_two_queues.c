// Two queues work on the two halves of a buffer without order; the whole is read when both have
// ended.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue queues[2] = {queue, NewQueue(0)};
  static int result[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem halves[2];
  for (cl_int i = 0; i < 2; ++i) {
    const cl_buffer_region half = {i * sizeof(result) / 2, sizeof(result) / 2};
    halves[i] = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
    OK(clEnqueueFillBuffer(queues[i], halves[i], &i, sizeof(i), 0, half.size, 0, NULL, NULL));
    OK(clFlush(queues[i]));
  }
  for (int i = 0; i < 2; ++i) OK(clFinish(queues[i]));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d %d %d\n", result[511], result[512], result[1023]);
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(halves[i]));
  CLOSE(buffer, queues[1]);
}
