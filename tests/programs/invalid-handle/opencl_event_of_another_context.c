// Defect: A wait list names an event of another context.
// Fix: A wait list names an event of the queue's context.
// EXPECT error invalid-handle clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  // @CREATED
  cl_event gate = MADE(clCreateUserEvent(other, &error));
#else
  cl_event gate = MADE(clCreateUserEvent(context, &error));
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 1, &gate, NULL);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseEvent(gate));
  OK(clReleaseContext(other));
  Close();
}
