// A buffer is filled from a host block that was freed before.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY release at RELEASED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @BLOCK
  char* data = calloc(1, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @RELEASED
  free(data);
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 8192, data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  Close();
}
