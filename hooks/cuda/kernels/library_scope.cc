// The memory whose accesses a library call has recorded.
#include "hooks/cuda/kernels/library_scope.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "hooks/common/base/fork_reset.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda {

constinit thread_local uint64_t library_scope = 0;

namespace {

struct Scope {
  SpinLock lock;
  uint64_t number = 0;
  uint32_t count = 0;
  LibraryRange ranges[kMostRanges];
};

constexpr uint64_t kKept = 64;
constinit Scope g_scopes[kKept];
constinit std::atomic<uint64_t> g_last{0};

// A thread of the parent may have held a lock.
const ForkReset g_reset([] {
  for (Scope& scope : g_scopes) new (&scope) Scope;
  library_scope = 0;
});

}  // namespace

void BeginLibraryScope(absl::Span<const LibraryRange> ranges) {
  const uint64_t number = g_last.fetch_add(1, std::memory_order_relaxed) + 1;
  Scope& scope = g_scopes[number % kKept];
  scope.lock.lock();
  scope.number = number;
  scope.count = static_cast<uint32_t>(std::min<size_t>(ranges.size(), kMostRanges));
  std::copy_n(ranges.begin(), scope.count, scope.ranges);
  scope.lock.unlock();
  library_scope = number;
}

uint32_t RangesOfScope(uint64_t number, LibraryRange* ranges) {
  Scope& scope = g_scopes[number % kKept];
  scope.lock.lock();
  const uint32_t count = scope.number == number ? scope.count : 0;
  std::copy_n(scope.ranges, count, ranges);
  scope.lock.unlock();
  return count;
}

}  // namespace gpusan::cuda
