// Time stamps and rings of the command log.
#include "tracker/command_log.h"

#include <time.h>

#include <algorithm>
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
      moved[i].until += (*entries)[of[i]].time - moved[i].time;
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
  const uint32_t beat = ring.beat.load(std::memory_order_relaxed);
  uint64_t time = 0;
  if (beat == 0 || static_cast<uint16_t>(beat) != ring.time_beat || kind != LogEntry::kCommand ||
      ring.without_time == kWithoutTime) {
    time = static_cast<uint64_t>(Counter());
    ring.time_beat = static_cast<uint16_t>(beat);
    ring.without_time = 0;
  } else {
    ++ring.without_time;
  }
  if (ring.slots.load(std::memory_order_relaxed) == nullptr) [[unlikely]]
    MakeSlots(ring);
  const uint64_t number = ring.begun.load(std::memory_order_relaxed);
  const uint64_t units = ring.units.load(std::memory_order_relaxed);
  if (kind == LogEntry::kCommand) {
    ring.run_base = std::bit_cast<uint64_t>(epoch) - units;
    ring.run_call = beat != 0 ? call : nullptr;
    ring.run_site = static_cast<SiteId>(sites);
    ring.run_beat = beat;
  } else {
    ring.run_call = nullptr;
  }
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
  words[7].store(kind | uint64_t{in_order} << 8 | units << 16, std::memory_order_relaxed);
  ring.units.store(units + 1, std::memory_order_relaxed);
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

void CommandLog::Begin(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
  Put(LogEntry::kCommand, epoch, Epoch(), Epoch(), &call, queue.handle, site, queue.created,
      queue.in_order);
}

void CommandLog::Part(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
                      const Clock& behind) {
  PutAll(LogEntry::kCommand, epoch, behind, &call, queue.handle, site, queue.created, false);
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
    for (const Ring& ring : rings_) logged += ring.units.load(std::memory_order_relaxed);
    if (logged - std::exchange(logged_, logged) >= kMany) beats_left_ = kBeats;
  }
  const bool many = beats_left_ != 0;
  if (many) {
    --beats_left_;
    if (++beat_ == 0) ++beat_;
  }
  for (Ring& ring : rings_) ring.beat.store(many ? beat_ : 0, std::memory_order_relaxed);
  return many ? kMillisecond : kBeats * kMillisecond;
}

uint64_t CommandLog::overwritten() {
  std::lock_guard taking(taking_);
  uint64_t sum = 0;
  for (const Ring& ring : rings_) sum += ring.overwritten;
  return sum;
}

void CommandLog::TakeFrom(Ring& ring, std::vector<LogEntry>* entries) {
  // Entries, and with the last of them as it is now their units. It is left for the next time while the
  // thread writes the one behind it.
  uint64_t end = 0, end_units = 0;
  bool still = false;
  for (int i = 0; i < 100 && !still; ++i) {
    end = ring.ended.load(std::memory_order_acquire);
    end_units = ring.units.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    still = ring.begun.load(std::memory_order_relaxed) == end;
  }
  if (still && end_units == ring.taken_units) return;
  const Slot* slots = ring.slots.load(std::memory_order_relaxed);
  // The number of commands of an entry is known from the next one.
  LogEntry* open = nullptr;
  uint64_t open_units = 0;
  const auto close = [&](uint64_t units, bool all_of_it) {
    if (open == nullptr) return;
    if (all_of_it) open->count = units - open_units;
    ring.taken_units = open_units + open->count;
    if (open->count == 0) entries->pop_back();
    open = nullptr;
  };
  uint64_t next = ring.taken;
  for (bool all = true; next < end; all = true) {
    uint64_t words[kWords];
    const Slot& slot = slots[next & (capacity_ - 1)];
    for (int i = 0; i < kWords; ++i) words[i] = slot.words[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    // What is overwritten by now is lost, before it is read or while it is.
    const uint64_t begun = ring.begun.load(std::memory_order_relaxed);
    if (begun > next + capacity_) {
      next = begun - capacity_;
      close(0, all = false);
      continue;
    }
    uint64_t units = words[7] >> 16;
    close(units, all);
    if (!still && next + 1 == end) break;
    uint64_t more = 0;  // of a run that was taken in part
    if (units < ring.taken_units) {
      more = ring.taken_units - units;
    } else {
      ring.overwritten += units - ring.taken_units;
    }
    LogEntry& entry = entries->emplace_back();
    entry.time = more == 0 ? static_cast<int64_t>(words[0]) : 0;
    entry.epoch = std::bit_cast<Epoch>(words[1] + more);
    if (more == 0) {
      entry.behind[0] = std::bit_cast<Epoch>(words[2]);
      entry.behind[1] = std::bit_cast<Epoch>(words[3]);
    }
    entry.call = reinterpret_cast<const CallInfo*>(words[4]);
    entry.queue = words[5];
    entry.site = static_cast<SiteId>(words[6]);
    entry.queue_site = static_cast<SiteId>(words[6] >> 32);
    entry.kind = static_cast<LogEntry::Kind>(words[7] & 0xff);
    entry.in_order = (words[7] >> 8 & 1) != 0;
    open = &entry;
    open_units = units + more;
    ++next;
  }
  if (still && open != nullptr) {
    close(end_units, true);
    --next;  // it may go on
  }
  ring.taken = next;
}

void CommandLog::GiveTimes(Ring& ring, const Moment& now, LogEntry* first, LogEntry* end) {
  // Those without a time were logged within a millisecond of the last one that has one, or little more.
  const int64_t most = (now.counter - begin_.counter) /
                       std::max<int64_t>((now.ns - begin_.ns) / 1000000, 1);
  for (LogEntry* entry = first; entry < end;) {
    if (entry->time != 0) {
      ring.last_counter = (entry++)->time;
      continue;
    }
    LogEntry* next = entry;
    while (next < end && next->time == 0) ++next;
    const int64_t until = next < end ? next->time : now.counter;
    const int64_t from = ring.last_counter != 0 ? ring.last_counter : until - most;
    const int64_t span = std::clamp<int64_t>(until - from, 0, most);
    const int64_t steps = next - entry + 1;
    for (LogEntry* at = entry; at < next; ++at) at->time = from + span * (at - entry + 1) / steps;
    entry = next;
  }
  for (LogEntry* entry = first; entry < end; ++entry) {
    const int64_t behind = entry + 1 < end ? entry[1].time : now.counter;
    entry->until = entry->time + std::clamp<int64_t>(behind - entry->time, 0, most);
  }
  // What comes next was logged later than this.
  ring.last_counter = std::max(ring.last_counter, now.counter);
}

std::vector<LogEntry> CommandLog::Take() {
  std::lock_guard taking(taking_);
  const Moment now = Now();
  std::vector<LogEntry> entries;
  for (Ring& ring : rings_) {
    const size_t first = entries.size();
    TakeFrom(ring, &entries);
    if (entries.size() != first)
      GiveTimes(ring, now, entries.data() + first, entries.data() + entries.size());
  }
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
  const auto ns_of = [&](int64_t counter) {
    return begin_.ns + static_cast<int64_t>(static_cast<double>(counter - begin_.counter) * rate);
  };
  for (LogEntry& entry : sorted) {
    entry.time = ns_of(entry.time);
    entry.until = entry.count == 1 ? entry.time : ns_of(entry.until);
  }
  return sorted;
}

}  // namespace gpusan
