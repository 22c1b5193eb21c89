// Defect: A buffer is released twice, retained never. (A pending command keeps the driver from
// crashing at once.)
// Fix: A buffer is released as often as it was created and retained.
// EXPECT error over-release clReleaseMemObject at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
// MAY sync-object-misuse
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clRetainMemObject(buffer));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @RELEASED
  OK(clReleaseMemObject(buffer));
  // @HERE
  clReleaseMemObject(buffer);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(gate);
}
