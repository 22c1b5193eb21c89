// Memory that was freed serves again: for small blocks of the heap, and for a thread's stack.
#include <pthread.h>
#include <sys/mman.h>

#include "common/opencl.h"

static cl_mem buffer;

static void Write(const void* data, size_t size) {
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

static void* OnThread(void* unused) {
  char local[16384];
  memset(local, 1, sizeof(local));
  Write(local, sizeof(local));
  return unused;
}

int main(void) {
  Open(0);
  buffer = MADE(clCreateBuffer(context, 0, 16384, NULL, &error));
  char* block = malloc(65536);
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 65536, 0);
  clSVMFree(context, shared);
  free(block);
  for (int i = 0; i < 200; ++i) {
    char* small = malloc(1000);  // too small to be known
    memset(small, i, 1000);
    Write(small, 1000);
  }
  // Large ones have mappings of their own, which stacks of threads get next.
  for (int i = 0; i < 4; ++i) {
    const size_t size = (size_t)8 << 20;
    void* large = clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
    char* other = malloc(size);
    memset(other, 1, size);
    Write(other, 16384);
    clSVMFree(context, large);
    free(other);
    pthread_t thread;
    pthread_create(&thread, NULL, OnThread, NULL);
    pthread_join(thread, NULL);
  }
  // An allocator of the program's own, over one mapping.
  char* arena = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(arena, 2, 1 << 20);
  Write(arena + 4096, 16384);
  munmap(arena, 1 << 20);
  CLOSE(buffer);
}
