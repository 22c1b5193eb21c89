// Defect: Shared virtual memory is freed, and then a buffer is filled from it as from any host
// memory.
// Fix: Shared virtual memory is freed after a buffer was filled from it as from any host memory.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=ptr
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @CREATED
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 8192, 0);
#ifndef DEFECT
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
#endif
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
#endif
  CLOSE(buffer);
}
