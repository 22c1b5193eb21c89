// Defect: A command buffer is enqueued again while it is pending.
// Fix: The program waits for it first.
// EXPECT warning call-failed clEnqueueCommandBufferKHR CL_INVALID_OPERATION at HERE
// EXPECT-TEXT command_buffer is pending
// EXPECT-TEXT wait for the earlier use of command_buffer
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, 4096, 0, NULL,
                                 NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(recorded));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE
  load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(buffer);
}
