// Defect: A wait list names an event whose last reference was released.
// Fix: An event is released after the last wait list that names it.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
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
#ifndef DEFECT
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &written, NULL);
#endif
  // @RELEASED
  OK(clReleaseEvent(written));
#ifdef DEFECT
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &written, NULL);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  CLOSE(gate, buffer);
}
