// Defect: A small block with the alignment of device memory is freed while a write reads it.
// Fix: The host waits for the write first.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at WRITE
#include "common/opencl.h"

enum { kBytes = 96, kAlignment = 256 };

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  char* data = aligned_alloc(kAlignment, kAlignment);
  memset(data, 0, kAlignment);
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data, 1, &gate, NULL));
#ifdef DEFECT
  // @HERE
  free(data);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#else
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  free(data);
#endif
  CLOSE(gate, buffer);
}
