// Defect: A wait list has a length and no events.
// Fix: A wait list without events has no length.
// EXPECT warning call-failed clEnqueueWriteBuffer CL_INVALID_EVENT_WAIT_LIST at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#ifdef DEFECT
  const cl_uint events = 1;
#else
  const cl_uint events = 0;
#endif
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, events, NULL, NULL);
  CLOSE(buffer);
}
