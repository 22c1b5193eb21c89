// A thread without Python frames in a process with Python: it calls a function of OpenCL.
#include <pthread.h>
#include <stddef.h>

typedef int (*Function)(void* queue, void* buffer, unsigned blocking, size_t offset, size_t bytes,
                        void* host, unsigned count, const void* events, void* event);

struct Call {
  Function function;
  void *queue, *buffer, *host;
};

static void* Run(void* argument) {
  const struct Call* call = argument;
  call->function(call->queue, call->buffer, 1, 8, 4096, call->host, 0, NULL, NULL);
  return NULL;
}

// Reads 8 bytes too many, in a thread of its own.
__attribute__((visibility("default"))) void BadReadInThread(Function function, void* queue,
                                                            void* buffer, void* host) {
  struct Call call = {function, queue, buffer, host};
  pthread_t thread;
  if (pthread_create(&thread, NULL, Run, &call) == 0) pthread_join(thread, NULL);
}
