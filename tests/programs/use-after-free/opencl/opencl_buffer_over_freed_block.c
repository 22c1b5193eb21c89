// Defect: A buffer is used after the host block that is its memory was freed.
// Fix: The block is freed after the buffer was released.
// EXPECT warning host-free-in-flight free at FREED
// EXPECT error use-after-free clEnqueueReadBuffer at HERE
// EXPECT-PARTY release at FREED
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* data = aligned_alloc(4096, 8192);
  memset(data, 1, 8192);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
#ifdef DEFECT
  // @FREED
  free(data);
#endif
  cl_int value = 0;
  // @HERE
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  free(data);
#endif
  Close();
}
