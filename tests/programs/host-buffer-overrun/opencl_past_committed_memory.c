// Defect: a read writes more host memory than the program has committed of its reservation.
// Fix: commit all of it.
// EXPECT error host-buffer-overrun clEnqueueReadBuffer at READ
// EXPECT-PARTY host-block at COMMIT
// EXIT any
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 128 * 1024 };

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  const int pattern = 7;
  OK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, kBytes, 0, NULL, NULL));
  char* memory = mmap(NULL, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
#ifdef DEFECT
  const size_t committed = kBytes / 2;
#else
  const size_t committed = kBytes;
#endif
  // @COMMIT
  if (mprotect(memory, committed, PROT_READ | PROT_WRITE) != 0) abort();
  // @READ
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  munmap(memory, kBytes);
  CLOSE(buffer);
}
