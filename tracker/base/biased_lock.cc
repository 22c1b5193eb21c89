// The start and the end of the bias of a family of locks.
#include "tracker/base/biased_lock.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "tracker/base/thread_barrier.h"

namespace gpusan {
namespace {

bool CallMembarrier(int command) {
  const int saved_errno = errno;
  const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
  errno = saved_errno;
  return done;
}

class Waiting {
 public:
  void Pause() {
    constexpr int kSpins = 60;
    if (++rounds_ % kSpins != 0) return SpinPause();
    const int saved_errno = errno;
    // The owner may have a lower real-time priority, so that sched_yield would not let it run.
    const timespec pause = {0, 50'000};
    if (rounds_ < 20 * kSpins) {
      sched_yield();
    } else {
      nanosleep(&pause, nullptr);
    }
    errno = saved_errno;
  }

 private:
  int rounds_ = 0;
};

}  // namespace

bool PrepareThreadBarrier() {
#if defined(__SANITIZE_THREAD__)
  return false;  // ThreadSanitizer does not know the barrier
#else
  return CallMembarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
#endif
}

void BarrierInAllThreads() {
  if (CallMembarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // A filter of system calls was installed meanwhile. The stores of a processor become visible
  // within microseconds.
  const int saved_errno = errno;
  const timespec pause = {0, 2'000'000};
  nanosleep(&pause, nullptr);
  errno = saved_errno;
}

bool LockBias::Names(const void* lock) const {
  for (const std::atomic<const void*>& element : held) {
    if (element.load(std::memory_order_acquire) == lock) return true;
  }
  return false;
}

bool LockBias::NamesNone() const {
  for (const std::atomic<const void*>& element : held) {
    if (element.load(std::memory_order_acquire) != nullptr) return false;
  }
  return true;
}

bool LockBias::Add(const void* lock) {
  for (std::atomic<const void*>& element : held) {
    if (element.load(std::memory_order_relaxed) != nullptr) continue;
    element.store(lock, std::memory_order_release);
    return true;
  }
  return false;
}

void LockBias::Remove(const void* lock) {
  for (std::atomic<const void*>& element : held) {
    if (element.load(std::memory_order_relaxed) == lock)
      element.store(nullptr, std::memory_order_release);
  }
}

bool LockBias::Prepare(const void* lock) {
  for (Waiting waiting;; waiting.Pause()) {
    uint32_t now = state.load(std::memory_order_acquire);
    if (now == kNew) {
      const uint32_t next =
          allowed.load(std::memory_order_relaxed) && PrepareThreadBarrier() ? kOwned : kNone;
      if (state.compare_exchange_strong(now, next, std::memory_order_acq_rel))
        return next == kOwned;
    }
    if (now == kOwned) {
      End();
      now = state.load(std::memory_order_acquire);
    }
    if (now == kDraining) {
      if (NamesNone()) {
        state.compare_exchange_strong(now, kNone, std::memory_order_acq_rel);
        return false;
      }
      if (!Names(lock)) return false;
    }
    if (now == kNone) return false;
  }
}

void LockBias::End() {
  uint32_t now = kOwned;
  if (state.compare_exchange_strong(now, kEnding, std::memory_order_acq_rel)) {
    BarrierInAllThreads();
    state.store(kDraining, std::memory_order_release);
    return;
  }
  for (Waiting waiting; state.load(std::memory_order_acquire) == kEnding;) waiting.Pause();
}

}  // namespace gpusan
