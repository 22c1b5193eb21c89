// A program with an allocator of its own in the executable, exported to all files: gpusan's is
// never called, and nothing that it does may mix the two. It asks for its memory in the first call,
// ahead of all constructors, and cannot be called meanwhile (as Chromium's).
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/host/probe.h"

static const size_t kArena = 64 << 20;
static char* arena;
static int starting;
static size_t used;
static long calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int Ours(const void* memory) { return (uintptr_t)memory - (uintptr_t)arena < kArena; }

static void Start(void) {
  if (starting) abort();
  starting = 1;
  arena = mmap(NULL, kArena, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (arena == MAP_FAILED) abort();
}

// Blocks keep their size in the 16 bytes before them and are never reused.
void* malloc(size_t bytes) {
  if (arena == NULL) Start();
  pthread_mutex_lock(&lock);
  ++calls;
  char* memory = NULL;
  const size_t need = (bytes + 31) / 16 * 16;
  if (kArena - used >= need) {
    memory = arena + used + 16;
    *(size_t*)(memory - 16) = bytes;
    used += need;
  }
  pthread_mutex_unlock(&lock);
  if (memory == NULL) errno = ENOMEM;
  return memory;
}

void free(void* memory) {
  if (memory == NULL) return;
  if (!Ours(memory)) abort();  // somebody else's block
  memset(memory, 0xdd, *(size_t*)((char*)memory - 16));
}

void cfree(void* memory) { free(memory); }  // which the C library has no more

void* calloc(size_t count, size_t size) {
  void* memory = malloc(count * size);
  if (memory != NULL) memset(memory, 0, count * size);
  return memory;
}

void* realloc(void* old, size_t bytes) {
  void* memory = malloc(bytes);
  if (old != NULL && memory != NULL) {
    const size_t kept = *(size_t*)((char*)old - 16);
    memcpy(memory, old, kept < bytes ? kept : bytes);
    free(old);
  }
  return memory;
}

static void* kept;
static void First(void) { kept = malloc(1); }
__attribute__((section(".preinit_array"), used)) static void (*first)(void) = First;

static void* Thread(void* argument) {
  char* text = strdup("a text of the C library's making");
  free(text);
  return argument;
}

int main(void) {
  PROBE_CALL(activate);
  pthread_t thread;
  pthread_create(&thread, NULL, Thread, NULL);
  pthread_join(thread, NULL);
  char* line = NULL;
  size_t capacity = 0;
  FILE* file = fopen("/proc/self/status", "r");
  if (file == NULL || getline(&line, &capacity, file) < 1 || !Ours(line)) return 1;
  free(line);
  fclose(file);
  printf("own malloc was called: %s\n", calls > 3 ? "yes" : "no");
  return 0;
}
