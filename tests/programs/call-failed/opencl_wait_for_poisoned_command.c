// Defect: A command waits for a user event that is set to an error: it never runs.
// Fix: A command waits for a user event that is set to complete.
// EXPECT warning call-failed clWaitForEvents CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST at HERE
// EXPECT-TEXT ended with status -1
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, &written));
#ifdef DEFECT
  const cl_int status = -1;
#else
  const cl_int status = CL_COMPLETE;
#endif
  OK(clSetUserEventStatus(gate, status));
  // @HERE
  clWaitForEvents(1, &written);
  OK(clReleaseEvent(written));
  OK(clReleaseEvent(gate));
  OK(clReleaseMemObject(buffer));
  Close();
}
