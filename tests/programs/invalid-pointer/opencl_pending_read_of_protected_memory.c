// Defect: A non-blocking read goes to memory to which the program has no write access.
// Fix: The program adds the access before the read.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE
// EXPECT-TEXT where the memory is mapped without write access
// EXIT any
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 64 * 1024 };

int main(void) {
  Open(0);
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  char* memory = mmap(NULL, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
#ifndef DEFECT
  if (mprotect(memory, kBytes, PROT_READ | PROT_WRITE) != 0) abort();
#endif
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 0, NULL, NULL));
  OK(clFinish(queue));
  munmap(memory, kBytes);
  CLOSE(buffer);
}
