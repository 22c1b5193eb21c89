// A four-byte lock for short critical sections: spins a bounded time, then sleeps in the kernel.
//
// Usable inside malloc and before any constructor has run (constant-initialised, trivially destructible): it
// allocates nothing and calls nothing but futex(2), keeping errno. Not recursive, not fair. A thread that holds
// it while the process forks leaves it taken in the child: the owner of the data replaces lock and data there.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace gpusan {

// Satisfies Lockable, so std::lock_guard and std::unique_lock work with it.
class SpinLock {
 public:
  constexpr SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  void lock() {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_weak(expected, kTaken, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
      LockSlow();
    }
  }

  bool try_lock() {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }

  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kTakenWithSleepers) Futex(FUTEX_WAKE_PRIVATE, 1);
  }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kTaken = 1;
  static constexpr uint32_t kTakenWithSleepers = 2;
  // About a microsecond: longer than any section guarded here, shorter than two context switches.
  static constexpr int kSpins = 60;

  static void Relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  void Futex(int operation, uint32_t value) {
    const int saved_errno = errno;
    syscall(SYS_futex, reinterpret_cast<uint32_t*>(&state_), operation, value, nullptr, nullptr, 0);
    errno = saved_errno;
  }

  __attribute__((noinline, cold)) void LockSlow() {
    for (int i = 0; i < kSpins; ++i) {
      if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
      Relax();
    }
    // From here on the word says that somebody may sleep, so that the owner wakes one.
    while (state_.exchange(kTakenWithSleepers, std::memory_order_acquire) != kFree) {
      Futex(FUTEX_WAIT_PRIVATE, kTakenWithSleepers);
    }
  }

  std::atomic<uint32_t> state_{kFree};
};

}  // namespace gpusan
