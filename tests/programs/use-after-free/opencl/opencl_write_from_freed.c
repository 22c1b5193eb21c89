// Defect block: A buffer is written from a host block that was just freed.
// EXPECT error use-after-free clEnqueueWriteBuffer at WRITE_BLOCK
// EXPECT-PARTY host-block at MADE
// EXPECT-PARTY release at FREED
// EXPECT-FACT block_bytes=8192
// EXPECT-TEXT points 4096 B into a host block of 8 KiB that has been freed; the command uses 4 KiB from there
// Defect svm: Shared virtual memory is freed, and then a buffer is filled from it as from any host memory.
// EXPECT error use-after-free clEnqueueWriteBuffer at WRITE_SHARED
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=ptr
// Fix: The memory is freed after the writes.
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MADE
  char* data = calloc(1, 8192);
  // @CREATED
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 8192, 0);
#ifndef DEFECT
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
#endif
  // @FREED
  free(data);
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT_block
  // @WRITE_BLOCK
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
#elif defined(DEFECT_svm)
  // @WRITE_SHARED
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
#endif
  CLOSE(buffer);
}
