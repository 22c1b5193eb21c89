// Defect content_discarded: The program discards the content of a mapping by madvise while a write
// that does not block reads it.
// EXPECT error host-free-in-flight madvise at HERE
// EXPECT-PARTY pending-command at PENDING
// EXPECT-PARTY host-block at BLOCK
// EXPECT-TEXT madvise discards the content of 8 KiB of host memory while clEnqueueWriteBuffer still reads
// Defect protected: The program makes the destination of a read that does not block read-only while
// the read is pending.
// EXPECT error host-free-in-flight mprotect at HERE_2
// EXPECT-PARTY pending-command at PENDING_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-TEXT mprotect takes the right to write from 8 KiB of host memory while clEnqueueReadBuffer still writes
// EXIT any
// Fix: The program waits for the command.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

// Fix: The program waits for the write before it discards the content.
static void ContentDiscarded(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @BLOCK
  char* data = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) abort();
  memset(data, 1, 8192);
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT_content_discarded
  // @HERE
  madvise(data, 8192, MADV_DONTNEED);
#endif
  OK(clFinish(queue));
  madvise(data, 8192, MADV_DONTNEED);
  munmap(data, 8192);
  RELEASE(buffer);
}

// Fix: The program waits for the read before it protects the memory.
static void Protected(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 8192, 0, NULL, NULL));
  // @BLOCK_2
  char* data = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) abort();
  memset(data, 1, 8192);
  // @PENDING_2
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
#ifdef DEFECT_protected
  // @HERE_2
  mprotect(data, 8192, PROT_READ);
  _Exit(0);
#endif
  OK(clFinish(queue));
  mprotect(data, 8192, PROT_READ);
  munmap(data, 8192);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  ContentDiscarded();
  Protected();
  Close();
}
