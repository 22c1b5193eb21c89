// Samples of the memory ledger, at regular intervals and on demand, from a thread of gpusan.
#include "layer/sampler.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "hooks/common/guard.h"
#include "layer/own_thread.h"
#include "report/base/safe_write.h"

namespace gpusan {
namespace {

sem_t g_demand;                             // the number of SIGUSR2 that wait for a sample
constinit std::atomic<pid_t> g_process{0};  // the process that has the sampler

void SetDefault() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGUSR2, &action, nullptr);
}

// Makes only async-signal-safe calls.
void OnSignal(int) {
  const int saved_errno = errno;
  if (g_process.load(std::memory_order_relaxed) == getpid()) {
    sem_post(&g_demand);
  } else {
    // The child of a fork has no sampler. The handler still runs there if another library, such as
    // PoCL, has installed a handler that calls this one.
    SetDefault();
    raise(SIGUSR2);  // delivered when this handler returns
  }
  errno = saved_errno;
}

bool IsDefault(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// Installs the handler. Returns false, without a change, if the signal is in use.
bool TakeSignal() {
  struct sigaction ours = {}, before = {};
  ours.sa_handler = OnSignal;
  ours.sa_flags = SA_RESTART;
  sigemptyset(&ours.sa_mask);
  if (sigaction(SIGUSR2, nullptr, &before) != 0 || !IsDefault(before)) return false;
  if (sigaction(SIGUSR2, &ours, &before) != 0) return false;
  if (IsDefault(before)) return true;
  sigaction(SIGUSR2, &before, nullptr);  // another thread set a disposition meanwhile
  return false;
}

struct Work {
  int64_t interval_ms;
  void (*sample)();
};

void Run(void* argument) {
  const Work work = *static_cast<Work*>(argument);
  delete static_cast<Work*>(argument);
  timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    if (work.interval_ms > 0) work.sample();
    next.tv_sec += work.interval_ms / 1000;
    next.tv_nsec += work.interval_ms % 1000 * 1000000;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    // Skip the samples that were missed, because the process was stopped or the disk was slow.
    if (now.tv_sec > next.tv_sec || (now.tv_sec == next.tv_sec && now.tv_nsec > next.tv_nsec))
      next = now;
    for (;;) {
      const int failed = work.interval_ms > 0 ? sem_clockwait(&g_demand, CLOCK_MONOTONIC, &next)
                                              : sem_wait(&g_demand);
      if (failed != 0 && errno == ETIMEDOUT) break;
      if (failed != 0) continue;
      while (sem_trywait(&g_demand) == 0) {  // one sample for all signals that wait
      }
      work.sample();
    }
  }
}

}  // namespace

void StartSampler(int64_t interval_ms, bool on_signal, void (*sample)()) {
  const ReentryGuard guard;
  auto* work = new Work{interval_ms, sample};
  sem_init(&g_demand, 0, 0);
  g_process.store(getpid(), std::memory_order_relaxed);
  if (on_signal && !TakeSignal()) {
    WriteToStderr("gpusan: SIGUSR2 takes no samples: the program has a use of its own for it\n");
    if (interval_ms <= 0) {
      delete work;
      return;
    }
  }
  const int error = StartOwnThread("gpusan-sample", Run, work);
  if (error == 0) return;
  delete work;
  char text[256];
  WriteToStderr(std::string("gpusan: no samples are taken: no thread can be made: ") +
                strerror_r(error, text, sizeof(text)) + "\n");
}

void ForgetSampler() {
  struct sigaction now = {};
  if (sigaction(SIGUSR2, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
      now.sa_handler != OnSignal)
    return;
  SetDefault();
}

}  // namespace gpusan
