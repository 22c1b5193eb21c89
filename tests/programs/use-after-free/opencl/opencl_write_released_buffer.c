// Defect: A buffer is written after its last reference was released. (A pending command keeps the
// driver from crashing.)
// Fix: A buffer is released after its last use.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
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
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL);
#endif
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#ifdef DEFECT
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL);
#endif
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(gate);
}
