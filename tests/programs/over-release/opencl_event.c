// Defect: An event is released twice. (Its pending command keeps the driver from crashing at once.)
// Fix: An event is released once.
// EXPECT error over-release clReleaseEvent at HERE
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, &written));
  // @RELEASED
  OK(clReleaseEvent(written));
#ifdef DEFECT
  // @HERE
  clReleaseEvent(written);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  CLOSE(gate, buffer);
}
