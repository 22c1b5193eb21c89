// Defect: A buffer is retained once more than it is released.
// Fix: A buffer is retained as often as it is released.
// EXPECT error leak clCreateBuffer at CREATED
// EXPECT-PARTY holder at RETAINED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @RETAINED
  OK(clRetainMemObject(buffer));
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
