// Defect: What a command buffer writes is read on another queue without waiting for it.
// Fix: What a command buffer writes is read on another queue after the event of its enqueue.
// EXPECT error race clEnqueueReadBuffer at HERE
// EXPECT-PARTY pending-command at ENQUEUED
// EXPECT-FACT hazard=RAW
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  cl_command_queue other = NewQueue(0);
  static int result[1024];
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, sizeof(result), 0,
                                 NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  cl_event filled;
  // @ENQUEUED
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, &filled));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
#else
  OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof(result), result, 1, &filled, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(filled));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(buffer, other);
}
