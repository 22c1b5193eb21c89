// Defect: The program makes the destination of a read that does not block read-only while the read is pending.
// Fix: The program waits for the read before it protects the memory.
// EXPECT error host-free-in-flight mprotect at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY host-block at BLOCK
// EXPECT-TEXT mprotect takes the right to write from 8 KiB of host memory while clEnqueueReadBuffer still writes
// EXIT any
#define _GNU_SOURCE
#include "common/opencl.h"

#include <sys/mman.h>

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 8192, 0, NULL, NULL));
  // @BLOCK
  char* data = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) abort();
  memset(data, 1, 8192);
  // @PENDING
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT
  // @HERE
  mprotect(data, 8192, PROT_READ);
  _Exit(0);
#endif
  OK(clFinish(queue));
  mprotect(data, 8192, PROT_READ);
  munmap(data, 8192);
  CLOSE(buffer);
}
