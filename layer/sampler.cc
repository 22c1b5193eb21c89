// See the header.
#include "layer/sampler.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <string>

#include "hooks/host/guard.h"
#include "report/safe_write.h"

namespace gpusan {
namespace {

struct Work {
  int64_t interval_ms;
  void (*sample)();
};

void* Run(void* argument) {
  const Work work = *static_cast<Work*>(argument);
  delete static_cast<Work*>(argument);
  const ReentryGuard guard;
  timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    work.sample();
    next.tv_sec += work.interval_ms / 1000;
    next.tv_nsec += work.interval_ms % 1000 * 1000000;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    // What was missed, while the process was stopped or the disk slow, is not made up for.
    if (now.tv_sec > next.tv_sec || (now.tv_sec == next.tv_sec && now.tv_nsec > next.tv_nsec))
      next = now;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr) != 0) {
    }
  }
}

}  // namespace

void StartSampler(int64_t interval_ms, void (*sample)()) {
  constexpr size_t kStackBytes = size_t{256} << 10;
  const ReentryGuard guard;
  auto* work = new Work{interval_ms, sample};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, Run, work);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0) {
    pthread_setname_np(thread, "gpusan-sample");
    return;
  }
  delete work;
  char text[256];
  WriteToStderr(std::string("gpusan: no samples are taken: no thread can be made: ") +
                strerror_r(error, text, sizeof(text)) + "\n");
}

}  // namespace gpusan
