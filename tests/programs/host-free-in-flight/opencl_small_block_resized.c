// Defect: realloc moves a small block that a pending write still reads.
// Fix: The host waits for the write first.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at WRITE
#include "common/opencl.h"

enum { kSmall = 96, kLarge = 5000 };

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kSmall, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  char* data = calloc(1, kSmall);
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kSmall, data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE
  data = realloc(data, kLarge);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  data = realloc(data, kSmall);
  free(data);
  CLOSE(gate, buffer);
}
