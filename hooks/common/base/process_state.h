// State of which a process has one, created on first use.
#pragma once

#include <atomic>
#include <mutex>
#include <new>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

// Created by the first Get() and never destroyed: threads of the program may outlive its global
// destructors. A child of fork() creates a new one: define a ForkReset beside the variable that
// calls Forget(). Thread-safe; for global variables.
template <typename State>
class ProcessState {
 public:
  State& Get() {
    State* state = state_.load(std::memory_order_acquire);
    if (state != nullptr) [[likely]]
      return *state;
    return Make();
  }
  // In the child of fork(). Async-signal-safe.
  void Forget() {
    // Another thread of the parent may have held it.
    new (&making_) SpinLock;
    state_.store(nullptr, std::memory_order_release);
  }

 private:
  [[gnu::noinline, gnu::cold]] State& Make() {
    std::lock_guard lock(making_);
    State* state = state_.load(std::memory_order_acquire);
    if (state == nullptr) {
      state = new State;
      state_.store(state, std::memory_order_release);
    }
    return *state;
  }

  std::atomic<State*> state_{nullptr};
  SpinLock making_;
};

}  // namespace gpusan
