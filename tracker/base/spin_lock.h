// A four-byte lock for short critical sections. A waiting thread spins for a bounded time, then
// yields the processor.
//
// Usable inside malloc and before any constructor has run: it is constant-initialised and trivially
// destructible, does not allocate, and preserves errno. lock() is one atomic exchange, unlock() an
// ordinary store. Not recursive, not fair. If a thread holds the lock while the process forks, the
// lock stays taken in the child: the owner of the data replaces lock and data there.
#pragma once

#include <sched.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace gpusan {

// Spin-loop hint to the processor.
inline void SpinPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Satisfies Lockable: usable with std::lock_guard and std::unique_lock.
class SpinLock {
 public:
  constexpr SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void lock() {
    if (taken_.exchange(1, std::memory_order_acquire) != 0) LockSlow();
  }
  bool try_lock() {
    return taken_.load(std::memory_order_relaxed) == 0 &&
           taken_.exchange(1, std::memory_order_acquire) == 0;
  }
  void unlock() { taken_.store(0, std::memory_order_release); }

 private:
  // About a microsecond: longer than any section that this lock guards, shorter than two context
  // switches.
  static constexpr int kSpins = 60;

  __attribute__((noinline, cold)) void LockSlow() {
    const int saved_errno = errno;
    for (int round = 0;; ++round) {
      for (int i = 0; i < kSpins; ++i) {
        if (try_lock()) {
          errno = saved_errno;
          return;
        }
        SpinPause();
      }
      if (round < 20) {
        sched_yield();
      } else {
        // The holder may have a lower real-time priority. sched_yield() would then never let it
        // run.
        const timespec pause = {0, 50'000};
        nanosleep(&pause, nullptr);
      }
    }
  }

  std::atomic<uint32_t> taken_{0};
};

}  // namespace gpusan
