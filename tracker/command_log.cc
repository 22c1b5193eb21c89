// Time stamps and rings of the command log.
#include "tracker/command_log.h"

#include <time.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>

#include "tracker/object.h"
#include "tracker/slab.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace gpusan {
namespace {

int64_t ClockNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

bool HasEvenCounter() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

}  // namespace

CommandLog::CommandLog(uint64_t capacity)
    : even_counter_(HasEvenCounter()),
      capacity_(std::bit_ceil(std::clamp<uint64_t>(capacity, 16, uint64_t{1} << 24))),
      begin_(Now()) {}

int64_t CommandLog::Counter() const {
#if defined(__x86_64__)
  if (even_counter_) return static_cast<int64_t>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  int64_t counter;
  asm volatile("mrs %0, cntvct_el0" : "=r"(counter));
  return counter;
#endif
  return ClockNs(CLOCK_MONOTONIC);
}

CommandLog::Moment CommandLog::Now() const {
  // The closest of some pairs: the thread may lose the processor between the two readings.
  Moment best = {};
  int64_t least = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const int64_t before = Counter();
    const int64_t ns = ClockNs(CLOCK_REALTIME);
    const int64_t after = Counter();
    if (after - before >= least) continue;
    least = after - before;
    best = {before + (after - before) / 2, ns};
  }
  return best;
}

void CommandLog::Add(const LogEntry& entry) {
  const int64_t now = Counter();
  Shard& shard = shards_[ThreadShard() % kShards];
  std::lock_guard lock(shard.lock);
  if (shard.ring == nullptr) [[unlikely]]
    shard.ring = std::make_unique_for_overwrite<LogEntry[]>(capacity_);
  if (shard.next - shard.taken == capacity_) [[unlikely]] {
    ++shard.taken;
    ++shard.overwritten;
  }
  LogEntry& slot = shard.ring[shard.next++ & (capacity_ - 1)];
  slot = entry;
  slot.time = now;
}

void CommandLog::AddBehind(const Clock& behind, LogEntry* entry) {
  size_t count = 0;
  for (const Epoch epoch : behind.epochs()) {
    if (count == 2) {
      Add(*entry);
      // The rest of what a command is behind follows it.
      if (entry->kind == LogEntry::kCommand) entry->kind = LogEntry::kOrder;
      entry->behind[1] = Epoch();
      count = 0;
    }
    entry->behind[count++] = epoch;
  }
  Add(*entry);
}

void CommandLog::Command(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
                         const Clock& behind) {
  LogEntry entry;
  entry.epoch = epoch;
  entry.call = &call;
  entry.queue = queue.handle;
  entry.site = site;
  entry.queue_site = queue.created;
  entry.in_order = queue.in_order;
  AddBehind(behind, &entry);
}

void CommandLog::Order(Epoch first, const Clock& behind) {
  if (behind.empty()) return;
  LogEntry entry;
  entry.kind = LogEntry::kOrder;
  entry.epoch = first;
  AddBehind(behind, &entry);
}

void CommandLog::HostWait(Epoch epoch) {
  LogEntry entry;
  entry.kind = LogEntry::kHostWait;
  entry.behind[0] = epoch;
  Add(entry);
}

void CommandLog::Failed(Epoch epoch) {
  LogEntry entry;
  entry.kind = LogEntry::kFailed;
  entry.epoch = epoch;
  Add(entry);
}

uint64_t CommandLog::overwritten() {
  uint64_t sum = 0;
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.lock);
    sum += shard.overwritten;
  }
  return sum;
}

std::vector<LogEntry> CommandLog::Take() {
  std::vector<LogEntry> entries;
  for (Shard& shard : shards_) {
    // In pieces, so that no thread waits for long.
    constexpr uint64_t kPiece = 256;
    for (bool more = true; more;) {
      std::lock_guard lock(shard.lock);
      const uint64_t end = std::min(shard.next, shard.taken + kPiece);
      for (; shard.taken < end; ++shard.taken)
        entries.push_back(shard.ring[shard.taken & (capacity_ - 1)]);
      more = shard.taken < shard.next && entries.size() < kShards * capacity_;
    }
  }
  // Places are sorted, not entries: the library's own buffer for those would not be aligned for them.
  std::vector<uint32_t> places(entries.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](uint32_t a, uint32_t b) { return entries[a].time < entries[b].time; });
  std::vector<LogEntry> sorted;
  sorted.reserve(entries.size());
  for (uint32_t place : places) sorted.push_back(entries[place]);
  const Moment now = Now();
  const auto passed = static_cast<double>(std::max<int64_t>(now.counter - begin_.counter, 1));
  const double rate = static_cast<double>(now.ns - begin_.ns) / passed;
  for (LogEntry& entry : sorted) {
    const auto since = static_cast<double>(entry.time - begin_.counter);
    entry.time = begin_.ns + static_cast<int64_t>(since * rate);
  }
  return sorted;
}

}  // namespace gpusan
