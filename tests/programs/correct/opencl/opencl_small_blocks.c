// Small blocks of the heap are used by transfers, freed beside pending commands, and used again.
#include <pthread.h>
#include <sys/mman.h>

#include "common/opencl.h"

// Memory that was freed serves again: for small blocks of the heap, and for a thread's stack.
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

static void FreedMemoryInUseAgain(void) {
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
  RELEASE(buffer);
}

// Small blocks beside those of pending commands are freed, and those of complete commands too.
static void CL_CALLBACK Free(cl_event event, cl_int status, void* block) {
  (void)event;
  (void)status;
  free(block);
}

static void BesideCommands(void) {
  enum { kBlocks = 64, kBytes = 64 };
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) blocks[i] = calloc(1, kBytes);
  cl_event gate = MADE(clCreateUserEvent(context, &error)), written;
  OK(clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL));
  for (int i = 0; i < kBlocks; i += 2)
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, blocks[i], 0, NULL, NULL));
  for (int i = 1; i < kBlocks; i += 2) free(blocks[i]);
  char* last = calloc(1, kBytes);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, last, 0, NULL, &written));
  OK(clSetEventCallback(written, CL_COMPLETE, Free, last));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  for (int i = 0; i < kBlocks; i += 2) free(blocks[i]);
  // The same addresses again, by blocking commands.
  for (int i = 0; i < kBlocks; ++i) {
    char* block = calloc(1, kBytes);
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, block, 0, NULL, NULL));
    free(block);
  }
  RELEASE(written, gate, buffer);
}

// Transfers use parts of small blocks. In front of some parts the memory still has the sizes of blocks that the program
// freed, and one part begins with a number that looks like a size.
enum { kBytes = 256, kBlocks = 64 };

struct Result {
  size_t count;
  char data[kBytes];
};

static void PartsOfSmallBlocks(void) {
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, kBytes, 0, NULL, NULL));
  char* small[kBlocks];
  for (int i = 0; i < kBlocks; ++i) small[i] = malloc(56);
  char* last = malloc(56);
  for (int i = 0; i < kBlocks; ++i) free(small[i]);
  char* blocks[4];
  for (int i = 0; i < 4; ++i) {
    blocks[i] = malloc(900);
    for (int offset = 0; offset + kBytes <= 900; offset += 16)
      OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, blocks[i] + offset, 0, NULL, NULL));
  }
  char* storage = malloc(sizeof(struct Result) + 16);
  struct Result* result = (struct Result*)(storage + 8);
  result->count = 65;
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, result->data, 0, NULL, NULL));
  char* whole = malloc(kBytes - 8);  // the allocator has no smaller block
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes - 8, whole, 0, NULL, NULL));
  free(whole);
  free(storage);
  for (int i = 0; i < 4; ++i) free(blocks[i]);
  free(last);
  RELEASE(buffer);
}

// One host block serves one in-order queue for write after read after write; only the last needs a
// wait.
static void ReuseOfHostBlock(void) {
  char* block = calloc(1, 4096);
  cl_mem one = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, block, &error));
  cl_mem two = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueReadBuffer(queue, one, CL_FALSE, 0, 4096, block, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, two, CL_FALSE, 0, 4096, block, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, two, CL_FALSE, 0, 4096, block, 0, NULL, NULL));
  OK(clFinish(queue));
  free(block);
  RELEASE(two, one);
}

int main(void) {
  Open(0);
  FreedMemoryInUseAgain();
  BesideCommands();
  PartsOfSmallBlocks();
  ReuseOfHostBlock();
  Close();
}
