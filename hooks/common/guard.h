// Who is inside gpusan on this thread: calls that gpusan or the driver makes are not calls of the
// program.
//
// A wrapper that finds ReentryGuard::Active() passes straight through to the real function.
// Async-signal-safe, no cost but a thread-local word, usable in malloc and while a thread is being
// torn down.
#pragma once

#include <cstdint>

namespace gpusan {

namespace guard_internal {
// Initial-exec: a dynamic TLS access could allocate inside malloc.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local uint32_t depth;
}  // namespace guard_internal

// From construction to destruction this thread is inside gpusan. Nests.
class ReentryGuard {
 public:
  ReentryGuard() { ++guard_internal::depth; }
  ~ReentryGuard() { --guard_internal::depth; }
  ReentryGuard(const ReentryGuard&) = delete;
  ReentryGuard& operator=(const ReentryGuard&) = delete;

  static bool Active() { return guard_internal::depth != 0; }
};

// Around a callback of the program that the driver makes inside a guarded call: what it calls is
// watched again.
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
