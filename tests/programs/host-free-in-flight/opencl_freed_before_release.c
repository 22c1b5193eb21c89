// Defect: The host block of a buffer is freed before the buffer is released, when no command uses it any more.
// Fix: The block is freed after the release.
// EXPECT warning host-free-in-flight free at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* data = aligned_alloc(4096, 8192);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  const cl_int one = 1;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
#ifdef DEFECT
  // @HERE
  free(data);
#endif
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  free(data);
#endif
  Close();
}
