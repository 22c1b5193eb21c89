// Defect: The host block that a live buffer uses as its memory is freed.
// Fix: The host block that a buffer uses as its memory is freed after the buffer was released.
// EXPECT warning host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @BLOCK
  char* data = aligned_alloc(4096, 8192);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  // @HERE
  free(data);
#ifdef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
