// The host block that a buffer uses as its memory is freed after the buffer was released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* data = aligned_alloc(4096, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  OK(clReleaseMemObject(buffer));
  free(data);
  Close();
}
