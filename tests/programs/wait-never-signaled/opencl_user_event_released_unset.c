// Defect: The last reference of a user event is released before its status is set, and a command
// waits for it forever.
// Fix: The status is set before the release.
// EXPECT error wait-never-signaled clReleaseEvent at HERE
// EXPECT-PARTY pending-command at PENDING
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @HERE
  OK(clReleaseEvent(gate));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
#endif
  _Exit(0);  // the driver would wait for the command when its queue is released
}
