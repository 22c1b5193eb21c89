// Commands are recorded once by cl_khr_command_buffer, in order, and enqueued three times.
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  if (!load_clCreateCommandBufferKHR) abort();
  static int result[256];
  const cl_int five = 5;
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr filled;
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES from, &five, sizeof(five), 0, sizeof(result), 0,
                                 NULL, &filled, NULL));
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, 0, sizeof(result), 1, &filled, NULL,
                                 NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  for (int i = 0; i < 3; ++i) {
    OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
    OK(clFinish(queue));  // it may not be pending twice
  }
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(to, from);
}
