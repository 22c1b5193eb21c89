// Defect: A buffer is released while a command waits for a user event whose status is not set.
// Fix: The status is set before the release.
// EXPECT error sync-object-misuse clReleaseMemObject at HERE
// EXPECT-PARTY waiting-command at WAITS
// EXPECT-PARTY allocation at EVENT
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @EVENT
  cl_event start = MADE(clCreateUserEvent(context, &error));
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @WAITS
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 4096, 1, &start, NULL));
#ifdef DEFECT
  // @HERE
  OK(clReleaseMemObject(buffer));
#endif
  OK(clSetUserEventStatus(start, CL_COMPLETE));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  OK(clFinish(queue));
  CLOSE(start);
}
