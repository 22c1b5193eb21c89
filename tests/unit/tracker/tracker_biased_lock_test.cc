// Biased locks: exclusion while another thread ends the bias, nested locks, and attempts.
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

#include "tracker/base/biased_lock.h"

namespace gpusan {
namespace {

using Lock = BiasedLock<struct TestLocks>;
static_assert(sizeof(Lock) == sizeof(SpinLock));
static_assert(std::is_trivially_destructible_v<Lock>);

// Starts the family again. No other thread may use it.
void Restart() {
  Lock::AllowBias();
  Lock::Reset(LockBias::kNew);
}

TEST_CASE("the first thread to lock owns the bias until another thread locks", "[biased-lock]") {
  Restart();
  Lock first, second;
  { std::lock_guard lock(first); }
  const bool biased = Lock::HasOwner();  // false without membarrier
  std::lock_guard lock(first);
  CHECK(!first.try_lock());
  CHECK(Lock::HasOwner() == biased);
  std::thread([&] {
    std::lock_guard other(second);
    CHECK(!first.try_lock());
  }).join();
  CHECK(!Lock::HasOwner());
  CHECK(!first.try_lock());
}

TEST_CASE("locks may be released in any order", "[biased-lock]") {
  Restart();
  Lock locks[LockBias::kMostHeld + 2];
  locks[0].lock();
  locks[1].lock();
  locks[2].lock();
  locks[1].unlock();
  locks[0].unlock();
  CHECK(!locks[2].try_lock());
  locks[2].unlock();
  for (Lock& lock : locks) lock.lock();  // more than the list has room for
  for (Lock& lock : locks) CHECK(!lock.try_lock());
  for (Lock& lock : locks) lock.unlock();
  std::thread([&] {
    for (Lock& lock : locks) {
      CHECK(lock.try_lock());
      lock.unlock();
    }
  }).join();
}

TEST_CASE("one thread at a time holds a lock while the bias ends", "[biased-lock]") {
  constexpr int kRounds = 60, kLocks = 4, kOthers = 2, kSteps = 400;
  struct Guarded {
    Lock lock;
    uint64_t count = 0;
  };
  for (int round = 0; round < kRounds; ++round) {
    Restart();
    Guarded guarded[kLocks];
    std::atomic<bool> owned{false};
    std::atomic<int> running{kOthers};
    const auto add = [&](int step) {
      Guarded& one = guarded[step % kLocks];
      std::lock_guard lock(one.lock);
      // Not atomic, and in two steps: two threads inside lose one.
      const uint64_t before = one.count;
      std::atomic_signal_fence(std::memory_order_seq_cst);
      one.count = before + 1;
    };
    std::vector<std::thread> others;
    for (int i = 0; i < kOthers; ++i) {
      others.emplace_back([&] {
        while (!owned.load()) SpinPause();
        for (int step = 0; step < kSteps; ++step) add(step);
        --running;
      });
    }
    uint64_t own = 0;
    // This thread owns the bias and nests two locks in every fourth step.
    for (int step = 0; running.load() != 0 || own < kSteps; ++step, ++own) {
      if (step % 4 == 3) {
        std::lock_guard outer(guarded[kLocks - 1].lock);
        add(step % (kLocks - 1));
      } else {
        add(step);
      }
      if (step == round % 50) owned.store(true);
    }
    for (std::thread& other : others) other.join();
    uint64_t counted = 0;
    for (const Guarded& one : guarded) counted += one.count;
    REQUIRE(counted == own + kOthers * kSteps);
    REQUIRE(!Lock::HasOwner());
  }
}

}  // namespace
}  // namespace gpusan
