// A user event is set before its last reference is released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
  OK(clReleaseMemObject(buffer));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clReleaseEvent(gate));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  _Exit(0);  // the driver would wait for the command when its queue is released
}
