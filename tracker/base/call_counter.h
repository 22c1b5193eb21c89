// Counts the intercepted calls of an API.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/base/slab.h"

namespace gpusan {

// Thread-safe. Each of the first kThreads - 1 threads of a process counts in a cache line of its
// own, without a locked instruction and without cache line transfers between cores. All later
// threads share one counter.
class CallCounter {
 public:
  [[gnu::always_inline]] void Count() {
    const unsigned thread = ThreadShard();
    if (thread < kThreads) [[likely]] {
      std::atomic<uint64_t>& own = own_[thread].calls;
      own.store(own.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    } else {
      own_[0].calls.fetch_add(1, std::memory_order_relaxed);
    }
  }
  // Adds `calls` at once, for callers that count their calls themselves.
  void Add(uint64_t calls) { own_[0].calls.fetch_add(calls, std::memory_order_relaxed); }
  uint64_t total() const {
    uint64_t calls = 0;
    for (const Own& own : own_) calls += own.calls.load(std::memory_order_relaxed);
    return calls;
  }

 private:
  static constexpr unsigned kThreads = 64;
  struct alignas(64) Own {
    std::atomic<uint64_t> calls{0};
  };
  Own own_[kThreads];  // element 0 is shared by the threads without their own
};

}  // namespace gpusan
