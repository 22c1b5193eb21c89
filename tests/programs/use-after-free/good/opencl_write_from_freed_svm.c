// Shared virtual memory is freed after a buffer was filled from it as from any host memory.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 8192, 0);
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
  clSVMFree(context, shared);
  OK(clReleaseMemObject(buffer));
  Close();
}
