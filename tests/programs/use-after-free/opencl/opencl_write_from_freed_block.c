// Defect: A buffer is written from a host block that was just freed.
// Fix: The host block is freed after the write.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
// EXPECT-PARTY host-block at MADE
// EXPECT-PARTY release at FREED
// EXPECT-FACT block_bytes=8192
// EXPECT-TEXT points 4096 B into a host block of 8 KiB that has been freed; the command uses 4 KiB from there
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MADE
  char* data = calloc(1, 8192);
#ifndef DEFECT
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
#endif
  // @FREED
  free(data);
#ifdef DEFECT
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
#endif
  CLOSE(buffer);
}
