// Commands fill arrays on the stack that the program has not touched before: the kernel maps the pages of the main thread's
// stack at their first access. Memory at the same addresses is unmapped and mapped again between commands.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "common/opencl.h"

enum { kBytes = 2 * 1024 * 1024 };
static cl_mem buffer;

static void* ReadInto(void* memory) {
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, memory, 0, NULL, NULL));
  return NULL;
}

static __attribute__((noinline)) void OnStack(int by_thread) {
  char untouched[kBytes];
  if (by_thread) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, ReadInto, untouched) != 0) abort();
    pthread_join(thread, NULL);
  } else {
    ReadInto(untouched);
  }
  if (untouched[0] != 7 || untouched[kBytes - 1] != 7) abort();
}

static __attribute__((noinline)) void Deeper(int by_thread) {
  char above[kBytes];
  *(volatile char*)&above[kBytes - 1] = 0;
  OnStack(by_thread);
}

int main(void) {
  Open(0);
  buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  const char pattern = 7;
  OK(clEnqueueFillBuffer(queue, buffer, &pattern, 1, 0, kBytes, 0, NULL, NULL));
  OnStack(1);
  Deeper(0);
  for (int i = 0; i < 4; ++i) {
    void* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    ReadInto((char*)memory);
    munmap(memory, kBytes);
  }
  CLOSE(buffer);
}
