// Time stamps and rings of the command log.
#include "tracker/command_log.h"

#include <time.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <utility>

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

// Commands of one timeline come in the order of their ticks, whatever the times say that two threads
// read or were given for them. Entries are in the order of time, and their times stay.
void OrderByTick(std::vector<LogEntry>* entries) {
  std::unordered_map<TimelineId, std::vector<size_t>> places;
  for (size_t i = 0; i < entries->size(); ++i) {
    if ((*entries)[i].kind == LogEntry::kCommand)
      places[(*entries)[i].epoch.timeline()].push_back(i);
  }
  const auto tick = [&](size_t place) { return (*entries)[place].epoch.tick(); };
  for (auto& [timeline, of] : places) {
    const auto before = [&](size_t a, size_t b) { return tick(a) < tick(b); };
    if (std::is_sorted(of.begin(), of.end(), before)) [[likely]]
      continue;
    std::vector<size_t> order = of;
    std::stable_sort(order.begin(), order.end(), before);
    std::vector<LogEntry> moved;
    for (size_t place : order) moved.push_back((*entries)[place]);
    for (size_t i = 0; i < of.size(); ++i) {
      moved[i].time = (*entries)[of[i]].time;
      (*entries)[of[i]] = moved[i];
    }
  }
}

}  // namespace

CommandLog::~CommandLog() {
  for (Ring& ring : rings_) delete[] ring.slots.load(std::memory_order_relaxed);
}

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

[[gnu::noinline]] void CommandLog::MakeSlots(Ring& ring) {
  ring.slots.store(new Slot[capacity_], std::memory_order_relaxed);
}

// Straight from registers into the ring.
[[gnu::always_inline]] inline void CommandLog::PutIn(Ring& ring, LogEntry::Kind kind, Epoch epoch,
                                                     Epoch behind, Epoch behind_too,
                                                     const CallInfo* call, uintptr_t queue,
                                                     uint64_t sites, bool in_order) {
  const uint32_t beat = beat_.load(std::memory_order_relaxed);
  uint64_t time = 0;
  if (beat == 0 || beat != ring.beat || kind != LogEntry::kCommand ||
      ring.without_time == kWithoutTime) {
    time = static_cast<uint64_t>(Counter());
    ring.beat = beat;
    ring.without_time = 0;
  } else {
    ++ring.without_time;
  }
  if (ring.slots.load(std::memory_order_relaxed) == nullptr) [[unlikely]]
    MakeSlots(ring);
  const uint64_t number = ring.begun.load(std::memory_order_relaxed);
  // Who reads one of these words sees that the entry which was there is gone.
  ring.begun.store(number + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  auto& words = ring.slots.load(std::memory_order_relaxed)[number & (capacity_ - 1)].words;
  words[0].store(time, std::memory_order_relaxed);
  words[1].store(std::bit_cast<uint64_t>(epoch), std::memory_order_relaxed);
  words[2].store(std::bit_cast<uint64_t>(behind), std::memory_order_relaxed);
  words[3].store(std::bit_cast<uint64_t>(behind_too), std::memory_order_relaxed);
  words[4].store(reinterpret_cast<uintptr_t>(call), std::memory_order_relaxed);
  words[5].store(queue, std::memory_order_relaxed);
  words[6].store(sites, std::memory_order_relaxed);
  words[7].store(kind | uint64_t{in_order} << 8, std::memory_order_relaxed);
  ring.ended.store(number + 1, std::memory_order_release);
}

[[gnu::always_inline]] inline void CommandLog::Put(LogEntry::Kind kind, Epoch epoch, Epoch behind,
                                                   Epoch behind_too, const CallInfo* call,
                                                   uintptr_t queue, SiteId site, SiteId queue_site,
                                                   bool in_order) {
  const uint64_t sites = site | uint64_t{queue_site} << 32;
  const unsigned thread = ThreadShard();
  if (thread >= kOwnRings) [[unlikely]] {
    Ring& shared = rings_[kOwnRings];
    std::lock_guard lock(shared.lock);
    return PutIn(shared, kind, epoch, behind, behind_too, call, queue, sites, in_order);
  }
  PutIn(rings_[thread], kind, epoch, behind, behind_too, call, queue, sites, in_order);
}

void CommandLog::PutAll(LogEntry::Kind kind, Epoch epoch, const Clock& behind, const CallInfo* call,
                        uintptr_t queue, SiteId site, SiteId queue_site, bool in_order) {
  const auto& epochs = behind.epochs();
  for (size_t i = 0; i < epochs.size() || i == 0; i += 2) {
    Put(kind, epoch, i < epochs.size() ? epochs[i] : Epoch(),
        i + 1 < epochs.size() ? epochs[i + 1] : Epoch(), call, queue, site, queue_site, in_order);
    // The rest of what a command is behind follows it.
    kind = LogEntry::kOrder;
  }
}

void CommandLog::Command(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
                         const Clock& behind) {
  if (behind.empty()) [[likely]]
    return Command(queue, epoch, call, site);
  PutAll(LogEntry::kCommand, epoch, behind, &call, queue.handle, site, queue.created,
         queue.in_order);
}

void CommandLog::Command(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
  Put(LogEntry::kCommand, epoch, Epoch(), Epoch(), &call, queue.handle, site, queue.created,
      queue.in_order);
}

void CommandLog::Order(Epoch first, const Clock& behind) {
  if (behind.empty()) return;
  PutAll(LogEntry::kOrder, first, behind, nullptr, 0, kUnknownSite, kUnknownSite, false);
}

void CommandLog::HostWait(Epoch epoch) {
  Put(LogEntry::kHostWait, Epoch(), epoch, Epoch(), nullptr, 0, kUnknownSite, kUnknownSite, false);
}

void CommandLog::Failed(Epoch epoch) {
  Put(LogEntry::kFailed, epoch, Epoch(), Epoch(), nullptr, 0, kUnknownSite, kUnknownSite, false);
}

int64_t CommandLog::Beat() {
  constexpr int64_t kMillisecond = 1000000;
  constexpr int kBeats = 20;
  constexpr uint64_t kMany = 2000;  // in as many milliseconds
  if (beats_left_ == 0) {
    uint64_t logged = 0;
    for (const Ring& ring : rings_) logged += ring.ended.load(std::memory_order_relaxed);
    if (logged - std::exchange(logged_, logged) >= kMany) beats_left_ = kBeats;
  }
  const uint32_t beat = beat_.load(std::memory_order_relaxed);
  if (beats_left_ == 0) {
    beat_.store(0, std::memory_order_relaxed);
    return kBeats * kMillisecond;
  }
  --beats_left_;
  beat_.store(beat + 1 == 0 ? 1 : beat + 1, std::memory_order_relaxed);
  return kMillisecond;
}

uint64_t CommandLog::overwritten() {
  std::lock_guard taking(taking_);
  uint64_t sum = 0;
  for (const Ring& ring : rings_) {
    const uint64_t begun = ring.begun.load(std::memory_order_relaxed);
    sum += ring.overwritten;
    if (begun > ring.taken + capacity_) sum += begun - capacity_ - ring.taken;
  }
  return sum;
}

void CommandLog::TakeFrom(Ring& ring, const Moment& now, std::vector<LogEntry>* entries) {
  const size_t first = entries->size();
  const uint64_t end = ring.ended.load(std::memory_order_acquire);
  const Slot* slots = ring.slots.load(std::memory_order_relaxed);
  // What is overwritten by now is lost, before it is read or while it is.
  const auto drop_lost = [&] {
    const uint64_t begun = ring.begun.load(std::memory_order_relaxed);
    if (begun <= ring.taken + capacity_) return false;
    ring.overwritten += begun - capacity_ - ring.taken;
    ring.taken = begun - capacity_;
    return true;
  };
  drop_lost();
  while (ring.taken < end) {
    uint64_t words[kWords];
    const Slot& slot = slots[ring.taken & (capacity_ - 1)];
    for (int i = 0; i < kWords; ++i) words[i] = slot.words[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (drop_lost()) continue;
    ++ring.taken;
    LogEntry& entry = entries->emplace_back();
    entry.time = static_cast<int64_t>(words[0]);
    entry.epoch = std::bit_cast<Epoch>(words[1]);
    entry.behind[0] = std::bit_cast<Epoch>(words[2]);
    entry.behind[1] = std::bit_cast<Epoch>(words[3]);
    entry.call = reinterpret_cast<const CallInfo*>(words[4]);
    entry.queue = words[5];
    entry.site = static_cast<SiteId>(words[6]);
    entry.queue_site = static_cast<SiteId>(words[6] >> 32);
    entry.kind = static_cast<LogEntry::Kind>(words[7] & 0xff);
    entry.in_order = (words[7] >> 8 & 1) != 0;
  }
  // Those without a time were logged within a millisecond of the last one that has one, or little more.
  const int64_t most = (now.counter - begin_.counter) /
                       std::max<int64_t>((now.ns - begin_.ns) / 1000000, 1);
  for (size_t i = first; i < entries->size();) {
    if ((*entries)[i].time != 0) {
      ring.last_counter = (*entries)[i++].time;
      continue;
    }
    size_t next = i;
    while (next < entries->size() && (*entries)[next].time == 0) ++next;
    const int64_t until = next < entries->size() ? (*entries)[next].time : now.counter;
    const int64_t from = ring.last_counter != 0 ? ring.last_counter : until - most;
    const int64_t span = std::clamp<int64_t>(until - from, 0, most);
    const auto steps = static_cast<int64_t>(next - i + 1);
    for (size_t at = i; at < next; ++at)
      (*entries)[at].time = from + span * static_cast<int64_t>(at - i + 1) / steps;
    i = next;
  }
}

std::vector<LogEntry> CommandLog::Take() {
  std::lock_guard taking(taking_);
  const Moment now = Now();
  std::vector<LogEntry> entries;
  for (Ring& ring : rings_) {
    if (ring.ended.load(std::memory_order_acquire) != ring.taken) TakeFrom(ring, now, &entries);
  }
  // Places are sorted, not entries: the library's own buffer for those would not be aligned for them.
  std::vector<uint32_t> places(entries.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](uint32_t a, uint32_t b) { return entries[a].time < entries[b].time; });
  std::vector<LogEntry> sorted;
  sorted.reserve(entries.size());
  for (uint32_t place : places) sorted.push_back(entries[place]);
  OrderByTick(&sorted);
  const auto passed = static_cast<double>(std::max<int64_t>(now.counter - begin_.counter, 1));
  const double rate = static_cast<double>(now.ns - begin_.ns) / passed;
  for (LogEntry& entry : sorted) {
    const auto since = static_cast<double>(entry.time - begin_.counter);
    entry.time = begin_.ns + static_cast<int64_t>(since * rate);
  }
  return sorted;
}

}  // namespace gpusan
