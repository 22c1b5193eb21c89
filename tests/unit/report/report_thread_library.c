// A library as tools load into every process: its thread takes the signals that it does not block.
#include <pthread.h>
#include <unistd.h>

static void* Wait(void* argument) {
  for (;;) pause();
  return argument;
}

__attribute__((constructor)) static void Start(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Wait, NULL);
}
