// Defect: A command buffer is enqueued that is still being recorded.
// Fix: A command buffer is enqueued when its recording has ended.
// EXPECT warning call-failed clEnqueueCommandBufferKHR CL_INVALID_OPERATION at HERE
// EXPECT-TEXT was not finalized
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, 4096, 0, NULL,
                                 NULL, NULL));
#ifndef DEFECT
  OK(load_clFinalizeCommandBufferKHR(recorded));
#endif
  // @HERE
  load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(buffer);
}
