// Defect: Shared virtual memory is freed while a command that reads it is pending.
// Fix: Shared virtual memory is freed when the command that reads it has ended.
// EXPECT error free-in-flight clSVMFree at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY pending-command at PENDING
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL));
  // @PENDING
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, data, shared, sizeof(data), 1, &gate, NULL));
#ifdef DEFECT
  // @HERE
  clSVMFree(context, shared);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#ifndef DEFECT
  clSVMFree(context, shared);
#endif
  CLOSE(gate);
}
