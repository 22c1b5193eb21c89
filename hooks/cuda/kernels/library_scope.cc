// The memory whose accesses a library call has recorded.
#include "hooks/cuda/kernels/library_scope.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/slab.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda {

constinit thread_local uint64_t library_scope = 0;

namespace {

// Written by one thread at a time. `number` is 0 during the change.
struct Scope {
  std::atomic<uint64_t> number{0};
  std::atomic<uint32_t> count{0};
  struct {
    std::atomic<uintptr_t> begin{0}, end{0};
  } ranges[kMostRanges];
};

// The scopes of one thread, which needs no lock for them. All threads without their own share the
// first element.
constexpr uint64_t kThreads = 32;
constexpr uint64_t kKept = 64;
struct alignas(64) ScopesOfThread {
  uint64_t last = 0;
  Scope scopes[kKept];
};
constinit ScopesOfThread g_threads[kThreads];  // by ThreadShard
constinit SpinLock g_shared_lock;              // of the first element

Scope& ScopeOf(uint64_t number) {
  return g_threads[number % kThreads].scopes[number / kThreads % kKept];
}

// Returns the number of the scope.
uint64_t Add(uint64_t thread, absl::Span<const LibraryRange> ranges) {
  const uint64_t number = ++g_threads[thread].last * kThreads + thread;
  Scope& scope = ScopeOf(number);
  scope.number.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  const auto count = static_cast<uint32_t>(std::min<size_t>(ranges.size(), kMostRanges));
  for (uint32_t i = 0; i < count; ++i) {
    scope.ranges[i].begin.store(ranges[i].begin, std::memory_order_relaxed);
    scope.ranges[i].end.store(ranges[i].end, std::memory_order_relaxed);
  }
  scope.count.store(count, std::memory_order_relaxed);
  scope.number.store(number, std::memory_order_release);
  return number;
}

// A thread of the parent may have held the lock.
const ForkReset g_reset([] {
  new (&g_shared_lock) SpinLock;
  library_scope = 0;
});

}  // namespace

void BeginLibraryScope(absl::Span<const LibraryRange> ranges) {
  const unsigned thread = ThreadShard();
  if (thread < kThreads) [[likely]] {
    library_scope = Add(thread, ranges);
  } else {
    std::lock_guard lock(g_shared_lock);
    library_scope = Add(0, ranges);
  }
}

uint32_t RangesOfScope(uint64_t number, LibraryRange* ranges) {
  const Scope& scope = ScopeOf(number);
  if (scope.number.load(std::memory_order_acquire) != number) return 0;
  const uint32_t count = scope.count.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i) {
    ranges[i].begin = scope.ranges[i].begin.load(std::memory_order_relaxed);
    ranges[i].end = scope.ranges[i].end.load(std::memory_order_relaxed);
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  return scope.number.load(std::memory_order_relaxed) == number ? count : 0;
}

}  // namespace gpusan::cuda
