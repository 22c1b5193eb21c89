// Host memory that the program has mapped or protected so that it cannot write or read there.
//
// The functions run inside of malloc and in the child of a fork, so they take no lock. A look-up
// during a change may miss a range, or return a range that never existed.
#include "tracker/memory/protected_memory.h"

#include <algorithm>

#include "tracker/base/process_maps.h"
#include "tracker/memory/fault_handlers.h"

namespace gpusan {

constinit std::atomic<int> protected_internal::ranges_in_use{0};

namespace {

constexpr int kRanges = 64;
constexpr uintptr_t kReadable = 1;  // bit of Range::begin; ranges begin at pages

struct Range {
  std::atomic<uintptr_t> begin{0};  // 0: free
  std::atomic<uintptr_t> end{0};
};
constinit Range ranges[kRanges] = {};
constinit std::atomic<uint32_t> oldest{0};

void Store(Range& range, uintptr_t begin, uintptr_t end) {
  range.end.store(end, std::memory_order_relaxed);
  range.begin.store(begin, std::memory_order_release);
}

void Add(uintptr_t begin, uintptr_t end, bool readable) {
  const uintptr_t marked = begin | (readable ? kReadable : 0);
  for (Range& range : ranges) {
    uintptr_t free = 0;
    if (range.begin.load(std::memory_order_relaxed) != 0 ||
        !range.begin.compare_exchange_strong(free, marked, std::memory_order_acq_rel))
      continue;
    range.end.store(end, std::memory_order_relaxed);
    protected_internal::ranges_in_use.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Store(ranges[oldest.fetch_add(1, std::memory_order_relaxed) % kRanges], marked, end);
}

}  // namespace

void NoteProtected(uintptr_t begin, uint64_t bytes, bool readable) {
  ForgetProtected(begin, bytes);
  if (bytes != 0) Add(begin, begin + bytes, readable);
}

void ForgetProtected(uintptr_t begin, uint64_t bytes) {
  if (protected_internal::ranges_in_use.load(std::memory_order_relaxed) == 0) return;
  const uintptr_t end = begin + bytes;
  for (Range& range : ranges) {
    uintptr_t marked = range.begin.load(std::memory_order_acquire);
    const uintptr_t first = marked & ~kReadable;
    const uintptr_t last = range.end.load(std::memory_order_relaxed);
    if (marked == 0 || first >= end || last <= begin ||
        !range.begin.compare_exchange_strong(marked, 0, std::memory_order_acq_rel))
      continue;
    protected_internal::ranges_in_use.fetch_sub(1, std::memory_order_relaxed);
    const bool readable = (marked & kReadable) != 0;
    if (first < begin) Add(first, begin, readable);
    if (last > end) Add(end, last, readable);
  }
}

uintptr_t protected_internal::Find(uintptr_t begin, uint64_t bytes, bool write) {
  const uintptr_t end = begin + bytes;
  for (const Range& range : ranges) {
    const uintptr_t marked = range.begin.load(std::memory_order_acquire);
    const uintptr_t first = marked & ~kReadable;
    if (marked == 0 || first >= end || range.end.load(std::memory_order_relaxed) <= begin ||
        (!write && (marked & kReadable) != 0))
      continue;
    return std::max(first, begin);
  }
  return 0;
}

bool IsProtected(uintptr_t address, bool write) {
  if (MayRepeatAccesses()) return false;
  bool found = false;
  VisitMappings([&](const ProcessMapping& mapping) {
    found = mapping.begin <= address && address < mapping.end &&
            !(write ? mapping.writable : mapping.readable);
    return mapping.end <= address;
  });
  return found;
}

bool IsAnyAccessible(uintptr_t begin, uint64_t bytes) {
  bool found = false;
  VisitMappings([&](const ProcessMapping& mapping) {
    found = mapping.begin < begin + bytes && begin < mapping.end &&
            (mapping.readable || mapping.writable);
    return !found && mapping.end < begin + bytes;
  });
  return found;
}

}  // namespace gpusan
