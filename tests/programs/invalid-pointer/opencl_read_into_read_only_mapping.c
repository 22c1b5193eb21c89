// Defect: A read writes its result into memory that is mapped for reading only.
// Fix: The memory is mapped for reading and writing.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE
// EXPECT-TEXT mapped without write access
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
#ifdef DEFECT
  const int protection = PROT_READ;
#else
  const int protection = PROT_READ | PROT_WRITE;
#endif
  void* memory = mmap(NULL, kBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  CLOSE(buffer);
}
