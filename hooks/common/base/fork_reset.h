// The process state that a child of fork() must not inherit.
#pragma once

#include <atomic>

namespace gpusan {

// Registers a function that a child of fork() runs before it uses the hooks: it resets the state of
// the file that defines it. For global variables. Each file registers its own state, so that there
// is no list of them.
//
// Registration is thread-safe. RunAll runs in the child, which has one thread; the functions must
// be async-signal-safe and idempotent, must not depend on their order, and must free nothing:
// another thread of the parent may have been inside the state.
class ForkReset {
 public:
  explicit ForkReset(void (*reset)()) : reset_(reset), next_(first_.load()) {
    while (!first_.compare_exchange_weak(next_, this)) {
    }
  }
  ForkReset(const ForkReset&) = delete;
  ForkReset& operator=(const ForkReset&) = delete;

  static void RunAll() {
    for (const ForkReset* one = first_.load(); one != nullptr; one = one->next_) one->reset_();
  }

 private:
  static constinit inline std::atomic<ForkReset*> first_{nullptr};
  void (*const reset_)();
  ForkReset* next_;
};

}  // namespace gpusan
