// The re-entry guard: whether the calling thread is inside gpusan. Calls that gpusan or a driver
// makes are not calls of the program.
//
// A wrapper for which ReentryGuard::Active() is true calls the real function directly. The guard is
// one thread-local word: async-signal-safe, usable inside malloc and while a thread ends.
#pragma once

#include <cstdint>

namespace gpusan {

namespace guard_internal {
// Initial-exec: a dynamic TLS access could allocate inside malloc.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local uint32_t depth;
}  // namespace guard_internal

// From construction to destruction, the calling thread is inside gpusan. Nests.
class ReentryGuard {
 public:
  ReentryGuard() { ++guard_internal::depth; }
  ~ReentryGuard() { --guard_internal::depth; }
  ReentryGuard(const ReentryGuard&) = delete;
  ReentryGuard& operator=(const ReentryGuard&) = delete;

  static bool Active() { return guard_internal::depth != 0; }
};

// Wraps a callback of the program that the driver calls inside a guarded call: the calls of the
// callback are intercepted again.
class ReentryPause {
 public:
  ReentryPause() : saved_(guard_internal::depth) { guard_internal::depth = 0; }
  ~ReentryPause() { guard_internal::depth = saved_; }
  ReentryPause(const ReentryPause&) = delete;
  ReentryPause& operator=(const ReentryPause&) = delete;

 private:
  uint32_t saved_;
};

}  // namespace gpusan
