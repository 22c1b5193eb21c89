// A program reserves addresses without access rights and commits them in parts: by mprotect, and by mmap over the
// reservation. Commands use memory of several parts. Then it takes the right to write from memory that commands read.
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

enum { kPart = 64 * 1024, kParts = 8 };

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kPart * kParts, NULL, &error));
  char* memory = mmap(NULL, kPart * kParts, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  for (int part = 0; part < kParts; ++part) {
    char* begin = memory + part * kPart;
    if (part % 3 == 0) {
      if (mmap(begin, kPart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != begin) abort();
    } else {
      if (mprotect(begin, kPart, PROT_READ | PROT_WRITE) != 0) abort();
    }
    memset(begin, part, kPart);
    const size_t bytes = (size_t)(part + 1) * kPart;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes, memory, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, memory, 0, NULL, NULL));
  }
  if (mprotect(memory, kPart * kParts, PROT_READ) != 0) abort();
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kPart * kParts, memory, 0, NULL, NULL));
  munmap(memory, kPart * kParts);
  CLOSE(buffer);
}
