// Memory for which a command waits is mapped only after the command was enqueued.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 64 * 1024 };

static char* Map(void* address, int protection) {
  const int fixed = address != NULL ? MAP_FIXED : 0;
  char* memory = mmap(address, kBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void WriteBehindGate(cl_mem buffer, char* memory) {
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 1, &gate, NULL));
  Map(memory, PROT_READ | PROT_WRITE);
  memory[0] = 1;
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(gate));
}

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  // Nothing is mapped at these addresses, and nothing else of the process comes there.
  char* memory = (char*)0x200000000000;
  WriteBehindGate(buffer, memory);
  munmap(memory, kBytes);
  // The addresses are reserved without memory.
  memory = Map(NULL, PROT_NONE);
  WriteBehindGate(buffer, memory);
  munmap(memory, kBytes);
  CLOSE(buffer);
}
