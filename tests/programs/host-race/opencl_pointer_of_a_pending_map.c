// Defect: Commands of another queue use a mapped region before the map is complete.
// Fix: The map is complete before the command.
#include "common/opencl.h"

// Defect: A command of another queue uses a mapped region before the map, which does not block, is complete.
// Fix: The command waits for the event of the map.
// EXPECT error host-race clEnqueueWriteBuffer at HERE
// EXPECT-PARTY pending-command at MAPPED
static void PointerBeforeMapCompletes(void) {
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
  RELEASE(ready, to, from, other);
}

// Defect: A blocking write of another queue reads a mapped region while the map still waits for a user event.
// Fix: The user event is set and the map is complete before the write.
// EXPECT error host-race clEnqueueWriteBuffer at HERE_2
// EXPECT-PARTY pending-command at MAPPED_2
static void PointerOfWaitingMap(void) {
  cl_command_queue other = NewQueue(0);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  // @MAPPED_2
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 1, &start, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE_2
  OK(clEnqueueWriteBuffer(other, to, CL_TRUE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(start, to, from, other);
}

int main(void) {
  Open(0);
  PointerBeforeMapCompletes();
  PointerOfWaitingMap();
  Close();
}
