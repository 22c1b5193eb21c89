// A command waits for a user event that is set to complete.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, &written));
  const cl_int status = CL_COMPLETE;
  OK(clSetUserEventStatus(gate, status));
  clWaitForEvents(1, &written);
  OK(clReleaseEvent(written));
  OK(clReleaseEvent(gate));
  OK(clReleaseMemObject(buffer));
  Close();
}
