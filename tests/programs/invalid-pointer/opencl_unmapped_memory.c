// Defect: A write reads memory that the program has unmapped.
// Fix: The program unmaps the memory after the write.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE
// EXIT any
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 64 * 1024 };

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  void* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  memset(memory, 1, kBytes);
#ifdef DEFECT
  munmap(memory, kBytes);
#endif
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
#ifndef DEFECT
  munmap(memory, kBytes);
#endif
  CLOSE(buffer);
}
