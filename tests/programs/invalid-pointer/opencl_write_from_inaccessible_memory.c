// Defect: A write reads memory to which the program has no access at all.
// Fix: The memory is readable.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE
// EXPECT-TEXT mapped without read access
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
  const int protection = PROT_NONE;
#else
  const int protection = PROT_READ;
#endif
  if (mprotect(memory, kBytes, protection) != 0) abort();
  // @HERE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  CLOSE(buffer);
}
