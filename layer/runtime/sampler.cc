// Samples of the memory ledger, at regular intervals and on demand, from a thread of gpusan.
#include "layer/runtime/sampler.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "hooks/common/guard.h"
#include "layer/runtime/own_thread.h"
#include "report/base/safe_write.h"

namespace gpusan {
namespace {

constinit std::atomic<uint32_t> g_demand{0};  // futex; 1: a SIGUSR2 waits for a sample
constinit std::atomic<pid_t> g_process{0};    // the process that has the sampler

void SetDefault() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGUSR2, &action, nullptr);
}

// Makes only async-signal-safe calls.
void OnSignal(int) {
  const int saved_errno = errno;
  if (g_process.load(std::memory_order_relaxed) == getpid()) {
    g_demand.store(1, std::memory_order_release);
    syscall(SYS_futex, &g_demand, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
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

// Waits for a signal, at most until `until` of CLOCK_MONOTONIC (nullptr: without limit). Returns
// true after one or more signals, and false at `until`.
bool WaitForDemand(const timespec* until) {
  while (g_demand.exchange(0, std::memory_order_acquire) == 0) {
    if (syscall(SYS_futex, &g_demand, FUTEX_WAIT_BITSET_PRIVATE, 0, until, nullptr,
                FUTEX_BITSET_MATCH_ANY) != 0 &&
        errno == ETIMEDOUT)
      return false;
  }
  return true;
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
    while (WaitForDemand(work.interval_ms > 0 ? &next : nullptr)) work.sample();
  }
}

}  // namespace

void StartSampler(int64_t interval_ms, bool on_signal, void (*sample)()) {
  const ReentryGuard guard;
  auto* work = new Work{interval_ms, sample};
  g_demand.store(0, std::memory_order_relaxed);
  g_process.store(getpid(), std::memory_order_relaxed);
  if (on_signal && !TakeSignal()) {
    WriteToStderr("gpusan: SIGUSR2 takes no samples, because the program uses the signal itself\n");
    if (interval_ms <= 0) {
      delete work;
      return;
    }
  }
  const int error = StartOwnThread("gpusan-sample", Run, work);
  if (error == 0) return;
  delete work;
  char text[256];
  WriteToStderr(std::string("gpusan: cannot take samples, because no thread can be created: ") +
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
