// How many calls of an API were seen, counted on every one of them.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/base/slab.h"

namespace gpusan {

// Thread-safe. The first threads of a process have a word of their own, which only they write: no
// locked instruction, no line that goes from core to core.
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
  // So many at once, for callers that keep count of them.
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
  Own own_[kThreads];  // the first one is for all threads without one
};

}  // namespace gpusan
