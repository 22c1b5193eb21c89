// Defect: A blocking write of another queue reads a mapped region while the map still waits for a user event.
// Fix: The user event is set and the map is complete before the write.
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
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  // @MAPPED
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 1, &start, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(other, to, CL_TRUE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(start, to, from, other);
}
