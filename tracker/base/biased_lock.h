// A spin lock without an atomic exchange for the first thread that takes one: most programs use an
// API in one thread.
//
// The first thread to take a lock of a family owns the bias of the family. It names the lock in a
// list and looks whether it still owns the bias: ordinary stores and loads. Another thread that
// takes a lock of the family first ends the bias for good: it announces that, makes all running
// threads execute a full barrier (membarrier), and waits while the list names its lock. The barrier
// stands between the store and the load of the owner, so that either the other thread sees the name
// of the lock, or the owner sees the announcement. After that, the locks are spin locks.
//
// A lock has the size, the properties and the effects of a SpinLock. The locks of a family need no
// common order: a thread waits for the one lock that it takes.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/base/spin_lock.h"

namespace gpusan {

// The state of a family. The first line is written only while the bias ends, the second one by the
// owner.
struct LockBias {
  enum State : uint32_t {
    kNew,       // no lock of the family was taken
    kOwned,     // one thread owns the bias
    kEnding,    // another thread waits for the barrier
    kDraining,  // the list is up to date; the owner adds no locks
    kNone,      // no bias
  };
  static constexpr uint32_t kMostHeld = 6;

  alignas(64) std::atomic<uint32_t> state{kNew};
  std::atomic<bool> allowed{false};
  // The locks that the owner holds; nullptr: none.
  alignas(64) std::atomic<const void*> held[kMostHeld] = {};

  // Whether the list has the lock, or none.
  bool Names(const void* lock) const;
  bool NamesNone() const;
  // Puts the lock into the list. Returns false if the list is full.
  [[gnu::noinline]] bool Add(const void* lock);
  // Removes the lock from the list.
  [[gnu::noinline]] void Remove(const void* lock);
  // Begins or ends the bias, and returns when the owner does not hold `lock`. Returns true if the
  // calling thread has become the owner.
  [[gnu::noinline, gnu::cold]] bool Prepare(const void* lock);
  // Announces the end, and executes a barrier in all threads. Waits while another thread does that.
  void End();
};

// `Family` is a type that only names the family. Satisfies Lockable.
template <typename Family>
class BiasedLock {
 public:
  constexpr BiasedLock() = default;
  BiasedLock(const BiasedLock&) = delete;
  BiasedLock& operator=(const BiasedLock&) = delete;

  [[gnu::always_inline]] void lock() {
    if (owner_) {
      if (LockAsOwner()) [[likely]]
        return;
    }
    LockPlain();
  }
  // Ends the bias if another thread owns it.
  bool try_lock() {
    if (owner_) {
      if (bias_.Names(this)) return false;
      if (LockAsOwner()) return true;
    }
    switch (bias_.state.load(std::memory_order_acquire)) {
      case LockBias::kNew:
        lock();
        return true;
      case LockBias::kOwned:
        bias_.End();
        break;
      case LockBias::kEnding:
        return false;
      default:
        break;
    }
    return !bias_.Names(this) && plain_.try_lock();
  }
  [[gnu::always_inline]] void unlock() {
    if (plain_.taken()) return plain_.unlock();
    // Only the owner holds a lock that is not taken.
    if (bias_.held[0].load(std::memory_order_relaxed) == this) {
      bias_.held[0].store(nullptr, std::memory_order_release);
    } else if (bias_.held[1].load(std::memory_order_relaxed) == this) {
      bias_.held[1].store(nullptr, std::memory_order_release);
    } else {
      bias_.Remove(this);
    }
  }

  // Allows the bias. Has an effect before the first lock of the family is taken.
  static void AllowBias() { bias_.allowed.store(true, std::memory_order_relaxed); }
  // Whether a thread owns the bias.
  static bool HasOwner() { return bias_.state.load(std::memory_order_relaxed) == LockBias::kOwned; }
  // Ends the bias in the child of a fork, where the data of all locks is replaced. Also for tests,
  // with kNew, while no other thread uses the family.
  static void Reset(LockBias::State state = LockBias::kNone) {
    owner_ = false;
    for (std::atomic<const void*>& lock : bias_.held)
      lock.store(nullptr, std::memory_order_relaxed);
    bias_.state.store(state, std::memory_order_relaxed);
  }

 private:
  // Returns false if the thread does not own the bias any more.
  [[gnu::always_inline]] bool LockAsOwner() {
    // No load of the list delays what follows: the branches are predicted.
    if (bias_.held[0].load(std::memory_order_relaxed) == nullptr) {
      bias_.held[0].store(this, std::memory_order_release);
    } else if (bias_.held[1].load(std::memory_order_relaxed) == nullptr) {
      bias_.held[1].store(this, std::memory_order_release);
    } else if (!bias_.Add(this)) {
      return false;  // ends the bias
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);  // membarrier makes it a barrier
    if (bias_.state.load(std::memory_order_acquire) == LockBias::kOwned) [[likely]]
      return true;
    bias_.Remove(this);
    owner_ = false;
    return false;
  }
  void LockPlain() {
    if (bias_.state.load(std::memory_order_acquire) != LockBias::kNone) [[unlikely]] {
      if (bias_.Prepare(this)) {
        owner_ = true;
        return lock();
      }
    }
    plain_.lock();
  }

  static inline constinit LockBias bias_;
  static inline __attribute__((tls_model("initial-exec"))) constinit thread_local bool owner_ =
      false;

  SpinLock plain_;
};

// The family of the locks of objects and of the structures over them.
using TrackerLock = BiasedLock<struct TrackerLocks>;

}  // namespace gpusan
