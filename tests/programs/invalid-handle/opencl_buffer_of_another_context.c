// Defect: A buffer is written through the queue of another context.
// Fix: A buffer is written through a queue of its own context.
// EXPECT error invalid-handle clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(other, 0, sizeof(data), NULL, &error));
#else
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#endif
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseContext(other));
  Close();
}
