// Defect: A read reaches a page whose write access the program has removed.
// Fix: The program restores the access before the read.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE
// EXPECT-TEXT the memory 16 KiB behind it is mapped without write access
// EXIT any
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 64 * 1024, kPage = 4096, kAt = 16 * 1024 };

int main(void) {
  Open(0);
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  char* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + kAt, kPage, PROT_READ) != 0) abort();
#ifndef DEFECT
  if (mprotect(memory + kAt, kPage, PROT_READ | PROT_WRITE) != 0) abort();
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  CLOSE(buffer);
}
