// Defect: The creation of a buffer fails. The program ignores the error and uses the buffer.
// Fix: The buffer has the intended size.
// EXPECT warning call-failed clCreateBuffer CL_INVALID_BUFFER_SIZE at FAILED
// EXPECT error error-ignored clEnqueueWriteBuffer at HERE
// EXPECT-PARTY failed-call at FAILED
// EXPECT-TEXT CL_INVALID_BUFFER_SIZE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
#ifdef DEFECT
  const size_t bytes = sizeof(data) / 2048;
#else
  const size_t bytes = sizeof(data);
#endif
  // @FAILED
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, NULL);
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  if (buffer) OK(clReleaseMemObject(buffer));
  Close();
}
