// Defect: A buffer is created with the data of a host block that is shorter.
// Fix: A buffer is created with the data of a host block of its size.
// EXPECT error host-buffer-overrun clCreateBuffer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=1024
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { n = 1024 };
#ifdef DEFECT
  // @BLOCK
  float* data = calloc(1, n);
#else
  float* data = calloc(sizeof(float), n);
#endif
  // @HERE
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, n * sizeof(float), data, &error));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
