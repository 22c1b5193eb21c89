// Defect: A buffer is released, and a sub-buffer of it is not: the memory of both stays.
// Fix: A buffer and its sub-buffer are released.
// EXPECT error leak clCreateSubBuffer at SUB
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region part = {1024, 1024};
  // @SUB
  cl_mem half = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
#ifdef DEFECT
  (void)half;
#else
  OK(clReleaseMemObject(half));
#endif
  CLOSE(parent);
}
