// Defect: The program discards the content of a mapping by madvise while a write that does not block reads it.
// Fix: The program waits for the write before it discards the content.
// EXPECT error host-free-in-flight madvise at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY host-block at BLOCK
// EXPECT-TEXT madvise discards the content of 8 KiB of host memory while clEnqueueWriteBuffer still reads
#define _GNU_SOURCE
#include "common/opencl.h"

#include <sys/mman.h>

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @BLOCK
  char* data = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) abort();
  memset(data, 1, 8192);
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT
  // @HERE
  madvise(data, 8192, MADV_DONTNEED);
#endif
  OK(clFinish(queue));
  madvise(data, 8192, MADV_DONTNEED);
  munmap(data, 8192);
  CLOSE(buffer);
}
