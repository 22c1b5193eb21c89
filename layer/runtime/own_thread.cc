// Threads that gpusan starts in the program's process.
#include "layer/runtime/own_thread.h"

#include <pthread.h>
#include <signal.h>

#include <cstddef>

#include "hooks/common/guard.h"

namespace gpusan {
namespace {

struct Start {
  void (*run)(void*);
  void* argument;
};

void* Enter(void* argument) {
  const Start start = *static_cast<Start*>(argument);
  delete static_cast<Start*>(argument);
  const ReentryGuard guard;
  start.run(start.argument);
  return nullptr;
}

}  // namespace

int StartOwnThread(const char* name, void (*run)(void*), void* argument) {
  constexpr size_t kStackBytes = size_t{256} << 10;
  const ReentryGuard guard;
  auto* start = new Start{run, argument};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, Enter, start);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0) {
    pthread_setname_np(thread, name);
  } else {
    delete start;
  }
  return error;
}

}  // namespace gpusan
