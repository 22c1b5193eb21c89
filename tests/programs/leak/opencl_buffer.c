// Defect: A buffer is never released.
// Fix: A buffer is released.
// EXPECT error leak clCreateBuffer at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  (void)buffer;
#else
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
