// Defect: Buffers are released right after the command that uses them, in a loop. That is legal,
// but memory accumulates.
// Fix: Each buffer is released when the command that uses it has ended.
// EXPECT note deferred-release clReleaseMemObject at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY allocation at CREATED
// DEFECT-OPTION --disable=sync-object-misuse
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[256 * 1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  for (int i = 0; i < 8; ++i) {
    // @CREATED
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
    // @PENDING
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT
    OK(clFinish(queue));
#endif
    // @HERE
    OK(clReleaseMemObject(buffer));
  }
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(gate);
}
