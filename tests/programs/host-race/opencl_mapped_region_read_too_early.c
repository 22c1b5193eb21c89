// Defect: The CPU reads a mapped region before the non-blocking map is complete.
// Fix: The CPU waits for the map first.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at MAPPED
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 65536, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 65536, 0, NULL, NULL));
  OK(clFinish(queue));  // a thread of the driver that writes guarded pages ends their protection
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &start, NULL));
  // @MAPPED
  const char* data = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, 65536, 0, NULL, NULL, &error));
#ifndef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @READ
  const char first = *(const volatile char*)(data + 20000);
#ifdef DEFECT
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
  (void)first;
#else
  if (first != 1) abort();
#endif
  OK(clEnqueueUnmapMemObject(queue, buffer, (void*)data, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(start, buffer);
}
