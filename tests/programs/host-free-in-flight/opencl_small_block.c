// Defect: A small host block of a write that does not block is freed while the write is pending.
// Fix: The block is freed when the write has ended.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at PENDING
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  char* data = calloc(1, 64);
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 32, data + 16, 1, &gate, NULL));
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
