// Defect: The host block of a write that does not block is freed while the write is pending.
// Fix: The host block of a write that does not block is freed when the write has ended.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY pending-command at PENDING
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @BLOCK
  char* data = calloc(1, 8192);
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 1, &gate, NULL));
#ifdef DEFECT
  // @HERE
  free(data);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#ifndef DEFECT
  free(data);
#endif
  CLOSE(gate, buffer);
}
