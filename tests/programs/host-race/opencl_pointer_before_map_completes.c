// Defect: A command of another queue uses a mapped region before the map, which does not block, is complete.
// Fix: The command waits for the event of the map.
// EXPECT error host-race clEnqueueWriteBuffer at HERE
// EXPECT-PARTY pending-command at MAPPED
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  cl_event ready;
  // @MAPPED
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 0, NULL, &ready, &error));
  OK(clFlush(queue));
#ifdef DEFECT
  const cl_uint waits = 0;
#else
  const cl_uint waits = 1;
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(other, to, CL_FALSE, 0, 8192, data, waits, waits ? &ready : NULL, NULL));
  OK(clFinish(other));
  OK(clFinish(queue));
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(ready, to, from, other);
}
