// Buffers are released straight after the command that uses them, in a loop: legal, but memory
// piles up.
// EXPECT note deferred-release clReleaseMemObject at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[256 * 1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  for (int i = 0; i < 8; ++i) {
    // @CREATED
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    // @PENDING
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
    // @HERE
    OK(clReleaseMemObject(buffer));
  }
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
  Close();
}
