// Defect: The program creates a buffer of 0 bytes, without flags.
// Fix: The buffer has a few bytes.
// EXPECT warning call-failed clCreateBuffer CL_INVALID_BUFFER_SIZE at HERE
// EXPECT-TEXT requested: 0 B(?!, 0)
// EXPECT-TEXT size is 0 \(OpenCL
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  // @HERE
  cl_mem buffer = clCreateBuffer(context, 0, 0, NULL, &error);
#else
  cl_mem buffer = clCreateBuffer(context, 0, 16, NULL, &error);
#endif
  if (buffer != NULL) OK(clReleaseMemObject(buffer));
  Close();
}
