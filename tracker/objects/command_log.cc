// Time stamps, rings and runs of the command log.
#include "tracker/objects/command_log.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

// Sorts the commands of each timeline by tick. Their times may disagree with the ticks, because two
// threads read the clock or got interpolated times. Requires entries in the order of time; the
// sequence of times does not change.
void OrderByTick(std::vector<LogEntry>* entries) {
  std::unordered_map<TimelineId, std::vector<size_t>> indices;
  for (size_t i = 0; i < entries->size(); ++i) {
    if ((*entries)[i].kind == LogEntry::kCommand)
      indices[(*entries)[i].epoch.timeline()].push_back(i);
  }
  const auto tick = [&](size_t index) { return (*entries)[index].epoch.tick(); };
  for (auto& [timeline, of] : indices) {
    const auto before = [&](size_t a, size_t b) { return tick(a) < tick(b); };
    if (std::is_sorted(of.begin(), of.end(), before)) [[likely]]
      continue;
    std::vector<size_t> order = of;
    std::stable_sort(order.begin(), order.end(), before);
    std::vector<LogEntry> moved;
    moved.reserve(order.size());
    for (size_t index : order) moved.push_back((*entries)[index]);
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
  // Takes the pair with the shortest distance: the thread may be preempted between the two
  // readings.
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

[[gnu::noinline]] void CommandLog::CheckWindow(Ring& ring, int64_t now) {
  const int64_t took = now - std::exchange(ring.window_begin, now);
  ring.in_window = 0;
  if (took < window_ticks_.load(std::memory_order_relaxed) &&
      burst_.exchange(1, std::memory_order_relaxed) == 0) {
    const int saved_errno = errno;
    syscall(SYS_futex, &burst_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    errno = saved_errno;
  }
}

void CommandLog::Pause(int64_t ns) {
  const timespec most = {ns / 1'000'000'000, static_cast<long>(ns % 1'000'000'000)};
  syscall(SYS_futex, &burst_, FUTEX_WAIT_PRIVATE, 0, &most, nullptr, 0);
}

namespace {

uint64_t Pack(SiteId low, SiteId high) { return low | uint64_t{high} << 32; }

LogEntry CommandEntry(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
  LogEntry entry;
  entry.epoch = epoch;
  entry.steps[0] = {&call, site};
  entry.queue = queue.handle;
  entry.queue_site = queue.created;
  entry.in_order = queue.in_order;
  return entry;
}

}  // namespace

// `before`: the run that this entry ends.
[[gnu::always_inline]] inline void CommandLog::PutIn(Ring& ring, const LogEntry& entry,
                                                     uint64_t flags, const Ended& before) {
  const uint32_t beat = beat_.load(std::memory_order_relaxed);
  uint64_t time = 0;
  if (beat == 0 || beat != ring.time_beat || entry.kind != LogEntry::kCommand ||
      ring.without_time == kWithoutTime) {
    time = static_cast<uint64_t>(ring.acts_at != 0 ? ring.acts_at : Counter());
    ring.time_beat = beat;
    ring.without_time = 0;
    if (beat == 0 && ++ring.in_window == kWindow) [[unlikely]]
      CheckWindow(ring, static_cast<int64_t>(time));
  } else {
    ++ring.without_time;
  }
  if (ring.slots.load(std::memory_order_relaxed) == nullptr) [[unlikely]]
    MakeSlots(ring);
  Slot* const slots = ring.slots.load(std::memory_order_relaxed);
  const uint64_t number = ring.begun.load(std::memory_order_relaxed);
  const bool more = entry.cycle > 1;
  // A reader that sees one of the new words also sees that the old entry is overwritten.
  ring.begun.store(number + 1 + more, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  const uint64_t kind = entry.kind | (entry.in_order ? kInOrder : 0) | flags |
                        (before.awaited ? kBeforeAwaited : 0) |
                        uint64_t{entry.waits} << kWaitsShift;
  auto& words = slots[number & (capacity_ - 1)].words;
  words[0].store(time, std::memory_order_relaxed);
  words[1].store(std::bit_cast<uint64_t>(entry.epoch), std::memory_order_relaxed);
  words[2].store(std::bit_cast<uint64_t>(entry.behind[0]), std::memory_order_relaxed);
  words[3].store(std::bit_cast<uint64_t>(entry.behind[1]), std::memory_order_relaxed);
  words[4].store(reinterpret_cast<uintptr_t>(entry.steps[0].call), std::memory_order_relaxed);
  words[5].store(entry.queue, std::memory_order_relaxed);
  words[6].store(Pack(entry.steps[0].site, entry.queue_site), std::memory_order_relaxed);
  words[7].store(kind | (more ? kMore : 0) | uint64_t{entry.cycle} << kCycleShift |
                     before.ticks << kBeforeShift,
                 std::memory_order_relaxed);
  if (more) {
    auto& rest = slots[(number + 1) & (capacity_ - 1)].words;
    for (int i = 1; i < static_cast<int>(CommandRun::kMost); ++i) {
      rest[i].store(reinterpret_cast<uintptr_t>(entry.steps[i].call), std::memory_order_relaxed);
      rest[i + 3].store(entry.steps[i].site, std::memory_order_relaxed);
    }
    rest[7].store(kSteps, std::memory_order_relaxed);
  }
  const uint64_t units = (flags & kOpen) != 0 ? before.ticks : before.ticks + 1;
  ring.units.store(ring.units.load(std::memory_order_relaxed) + units, std::memory_order_relaxed);
  ring.ended.store(number + 1 + more, std::memory_order_release);
  // Prefetch the next slot, so that a later lock operation does not wait for the store to it.
  __builtin_prefetch(&slots[(number + 1 + more) & (capacity_ - 1)], 1);
}

void CommandLog::ActAt(int64_t counter) {
  // Ignored for the shared ring: its threads would change each other's times.
  if (const unsigned thread = ThreadShard(); thread < kOwnRings) rings_[thread].acts_at = counter;
}

void CommandLog::Put(const LogEntry& entry, uint64_t flags, const Ended& before) {
  const unsigned thread = ThreadShard();
  if (thread >= kOwnRings) [[unlikely]] {
    Ring& shared = rings_[kOwnRings];
    std::lock_guard lock(shared.lock);
    return PutIn(shared, entry, flags, before);
  }
  PutIn(rings_[thread], entry, flags, before);
}

void CommandLog::PutAll(LogEntry entry, const Ended& before, const Clock& behind) {
  const auto& epochs = behind.epochs();
  for (size_t i = 0; i < epochs.size() || i == 0; i += 2) {
    entry.behind[0] = i < epochs.size() ? epochs[i] : Epoch();
    entry.behind[1] = i + 1 < epochs.size() ? epochs[i + 1] : Epoch();
    Put(entry, 0, i == 0 ? before : Ended());
    // kOrder entries hold the remaining epochs.
    entry.kind = LogEntry::kOrder;
  }
}

CommandLog::Ended CommandLog::EndRun(Queue& queue, uint64_t tick) {
  Ended ended;
  ended.ticks = queue.run.End(tick, &ended.awaited);
  return ended;
}

void CommandLog::Command(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
                         const Clock& behind) {
  if (behind.empty()) [[likely]]
    return Command(queue, epoch, call, site);
  PutAll(CommandEntry(queue, epoch, call, site), EndRun(queue, epoch.tick()), behind);
}

void CommandLog::Begin(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
  CommandRun& run = queue.run;
  if (queue.unlogged || run.GoesOnAwaited(call, site, epoch)) return;
  LogEntry entry = CommandEntry(queue, epoch, call, site);
  if (!queue.in_order || beat_.load(std::memory_order_relaxed) == 0)
    return Put(entry, 0, EndRun(queue, epoch.tick()));
  if (!run.listed) [[unlikely]] {
    run.listed = true;
    std::lock_guard lock(running_lock_);
    running_.push_back(&queue);
  }
  const Ended before = EndRun(queue, epoch.tick());
  Ends& ends = EndsOf(epoch);
  run.Begin(epoch, call, site, &ends.count);
  ends.run.store(&run, std::memory_order_relaxed);
  entry.waits = static_cast<uint8_t>(run.waits());
  entry.cycle = static_cast<uint8_t>(run.cycle());
  for (uint32_t i = 1; i < run.cycle(); ++i) entry.steps[i] = run.step(i);
  Put(entry, kOpen, before);
}

void CommandLog::Part(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
                      const Clock& behind) {
  LogEntry entry = CommandEntry(queue, epoch, call, site);
  entry.in_order = false;
  PutAll(entry, {}, behind);
}

void CommandLog::Order(Epoch first, const Clock& behind) {
  if (behind.empty()) return;
  EndsOf(first).count.fetch_add(1, std::memory_order_relaxed);
  LogEntry entry;
  entry.kind = LogEntry::kOrder;
  entry.epoch = first;
  PutAll(entry, {}, behind);
}

void CommandLog::HostWait(Epoch epoch) {
  Ends& ends = EndsOf(epoch);
  CommandRun* const run = ends.run.load(std::memory_order_relaxed);
  if (run != nullptr && run->NoteWait(epoch)) return;
  ends.count.fetch_add(1, std::memory_order_relaxed);
  LogEntry entry;
  entry.kind = LogEntry::kHostWait;
  entry.behind[0] = epoch;
  Put(entry, 0, {});
}

void CommandLog::Failed(Epoch epoch) {
  LogEntry entry;
  entry.kind = LogEntry::kFailed;
  entry.epoch = epoch;
  Put(entry, 0, {});
}

void CommandLog::Forget(Queue& queue) {
  std::lock_guard lock(queue.lock);
  if (const uint64_t first = queue.run.first(); first != 0) {
    const Lane& lane = queue.lanes.front();
    const Ended ended = EndRun(queue, lane.tick + 1);
    ended_units_.fetch_add(ended.ticks, std::memory_order_relaxed);
    CommandRun* run = &queue.run;
    EndsOf(Epoch(lane.timeline, 1))
        .run.compare_exchange_strong(run, nullptr, std::memory_order_relaxed);
    std::lock_guard lengths(running_lock_);
    forgotten_[{lane.timeline, first}] = ended;
  }
  queue.run.Forget();
}

void CommandLog::Interrupt() {
  for (Ends& ends : ends_) ends.count.fetch_add(1, std::memory_order_relaxed);
}

int64_t CommandLog::Beat() {
  constexpr int kBeats = 5;
  constexpr uint64_t kMany = 100'000 * kBeats * kBeatNs / 1'000'000'000;
  if (const Moment now = Now(); now.ns - begin_.ns >= kBeatNs) {
    window_ticks_.store(static_cast<int64_t>(static_cast<double>(kWindowNs) /
                                             static_cast<double>(now.ns - begin_.ns) *
                                             static_cast<double>(now.counter - begin_.counter)),
                        std::memory_order_relaxed);
  }
  if (burst_.exchange(0, std::memory_order_relaxed) != 0) beats_left_ = kBeats;
  if (beats_left_ == 0) {
    uint64_t logged = ended_units_.load(std::memory_order_relaxed);
    for (const Ring& ring : rings_) logged += ring.units.load(std::memory_order_relaxed);
    if (logged - std::exchange(logged_, logged) >= kMany) beats_left_ = kBeats;
  }
  const bool many = beats_left_ != 0;
  if (many) {
    --beats_left_;
    if (++last_beat_ == 0) ++last_beat_;
  }
  if (many || beat_.load(std::memory_order_relaxed) != 0) Interrupt();
  beat_.store(many ? last_beat_ : 0, std::memory_order_relaxed);
  return many ? kBeatNs : kBeats * kBeatNs;
}

uint64_t CommandLog::overwritten() {
  std::lock_guard taking(taking_);
  return overwritten_;
}

uint64_t CommandLog::TakeFrom(Ring& ring, std::vector<Raw>* entries) {
  const uint64_t end = ring.ended.load(std::memory_order_acquire);
  const uint64_t logged = ring.units.load(std::memory_order_relaxed);
  const Slot* slots = ring.slots.load(std::memory_order_relaxed);
  bool goes_on = false;  // the last entry continues in the next slot
  for (uint64_t next = ring.taken; next < end;) {
    uint64_t words[kWords];
    const Slot& slot = slots[next & (capacity_ - 1)];
    for (int i = 0; i < kWords; ++i) words[i] = slot.words[i].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    // The slot is lost if a thread overwrote it before or while it was read.
    const uint64_t begun = ring.begun.load(std::memory_order_relaxed);
    if (begun > next + capacity_) {
      if (std::exchange(goes_on, false)) entries->pop_back();
      next = begun - capacity_;
      continue;
    }
    ++next;
    const uint64_t flags = words[7];
    if ((flags & kSteps) != 0) {
      if (!std::exchange(goes_on, false)) continue;
      LogEntry& entry = entries->back().entry;
      for (int i = 1; i < static_cast<int>(CommandRun::kMost); ++i) {
        entry.steps[i] = {reinterpret_cast<const CallInfo*>(words[i]),
                          static_cast<SiteId>(words[i + 3])};
      }
      continue;
    }
    Raw& raw = entries->emplace_back();
    LogEntry& entry = raw.entry;
    goes_on = (flags & kMore) != 0;
    raw.open = (flags & kOpen) != 0;
    entry.time = static_cast<int64_t>(words[0]);
    entry.epoch = std::bit_cast<Epoch>(words[1]);
    entry.behind[0] = std::bit_cast<Epoch>(words[2]);
    entry.behind[1] = std::bit_cast<Epoch>(words[3]);
    entry.steps[0] = {reinterpret_cast<const CallInfo*>(words[4]), static_cast<SiteId>(words[6])};
    entry.queue = words[5];
    entry.queue_site = static_cast<SiteId>(words[6] >> 32);
    entry.kind = static_cast<LogEntry::Kind>(flags & 0xf);
    entry.waits = static_cast<uint8_t>(flags >> kWaitsShift & 0xf);
    entry.in_order = (flags & kInOrder) != 0;
    entry.cycle = static_cast<uint8_t>(flags >> kCycleShift & 7);
    if (const uint64_t before = flags >> kBeforeShift; before != 0)
      lengths_[{entry.epoch.timeline(), entry.epoch.tick() - before}] = {
          {before, (flags & kBeforeAwaited) != 0}, takes_};
  }
  ring.taken = end;
  return logged;
}

void CommandLog::EndRuns() {
  std::vector<Queue*> running;
  {
    std::lock_guard lock(running_lock_);
    running.swap(running_);
    for (const auto& [run, ended] : forgotten_) lengths_[run] = {ended, takes_};
    forgotten_.clear();
  }
  for (Queue* queue : running) {
    std::lock_guard lock(queue->lock);
    CommandRun& run = queue->run;
    run.listed = false;
    if (run.first() == 0) continue;
    const Lane& lane = queue->lanes.front();
    const RunKey key = {lane.timeline, run.first()};
    const Ended ended = EndRun(*queue, lane.tick + 1);
    ended_units_.fetch_add(ended.ticks, std::memory_order_relaxed);
    lengths_[key] = {ended, takes_};
  }
}

int64_t CommandLog::LongestBeat(const Moment& now) const {
  return kBeatNs * (now.counter - begin_.counter) / std::max<int64_t>(now.ns - begin_.ns, 1);
}

void CommandLog::GiveTimes(Ring& ring, const Moment& now, Raw* first, Raw* end) {
  // An entry without a time was logged at most about one beat after the last entry with a time.
  const int64_t most = LongestBeat(now);
  for (Raw* raw = first; raw < end;) {
    if (raw->entry.time != 0) {
      ring.last_counter = (raw++)->entry.time;
      continue;
    }
    Raw* next = raw;
    while (next < end && next->entry.time == 0) ++next;
    const int64_t until = next < end ? next->entry.time : now.counter;
    const int64_t from = ring.last_counter != 0 ? ring.last_counter : until - most;
    const int64_t span = std::clamp<int64_t>(until - from, 0, most);
    const int64_t steps = next - raw + 1;
    for (Raw* at = raw; at < next; ++at) at->entry.time = from + span * (at - raw + 1) / steps;
    raw = next;
  }
  // Later entries were logged after `now`.
  ring.last_counter = std::max(ring.last_counter, now.counter);
}

namespace {

// Sets `until` of all commands. `most` is the maximum duration of a run [counter ticks]. Requires
// entries in the order of time.
void GiveEnds(std::vector<LogEntry>* entries, int64_t now, int64_t most) {
  std::unordered_map<TimelineId, LogEntry*> last;
  const auto end = [&](TimelineId timeline, int64_t time) {
    LogEntry*& run = last[timeline];
    if (run != nullptr) run->until = std::min(time, run->time + most);
    run = nullptr;
  };
  for (LogEntry& entry : *entries) {
    if (entry.kind == LogEntry::kCommand) end(entry.epoch.timeline(), entry.time);
    if (entry.kind == LogEntry::kHostWait) end(entry.behind[0].timeline(), entry.time);
    if (entry.kind == LogEntry::kCommand) last[entry.epoch.timeline()] = &entry;
  }
  for (const auto& [timeline, run] : last) {
    if (run != nullptr) run->until = std::min(std::max(now, run->time), run->time + most);
  }
}

// Adds a kHostWait entry for the last command of each run that begins with an epoch of `firsts`.
// Requires entries in the order of time.
void AddWaits(const std::vector<Epoch>& firsts, std::vector<LogEntry>* entries) {
  if (firsts.empty()) return;
  std::unordered_set<uint64_t> wanted;
  for (const Epoch epoch : firsts) wanted.insert(std::bit_cast<uint64_t>(epoch));
  const size_t size = entries->size();
  std::vector<LogEntry> waits;
  for (const LogEntry& run : *entries) {
    if (run.kind != LogEntry::kCommand || !wanted.contains(std::bit_cast<uint64_t>(run.epoch)))
      continue;
    LogEntry& wait = waits.emplace_back();
    wait.kind = LogEntry::kHostWait;
    wait.behind[0] = Epoch(run.epoch.timeline(), run.epoch.tick() + run.count - 1);
    // Earlier than the entry that ended the run.
    wait.time = std::max(run.time, run.until - 1);
  }
  const auto earlier = [](const LogEntry& a, const LogEntry& b) { return a.time < b.time; };
  std::sort(waits.begin(), waits.end(), earlier);
  entries->insert(entries->end(), waits.begin(), waits.end());
  std::inplace_merge(entries->begin(), entries->begin() + static_cast<ptrdiff_t>(size),
                     entries->end(), earlier);
}

}  // namespace

std::vector<LogEntry> CommandLog::Take() {
  std::lock_guard taking(taking_);
  std::vector<Raw> read = std::exchange(pending_, {});
  const size_t old = read.size();
  ++takes_;
  uint64_t logged = 0;
  Moment now = Now();
  for (Ring& ring : rings_) {
    const size_t first = read.size();
    logged += TakeFrom(ring, &read);
    if (read.size() != first) GiveTimes(ring, now, read.data() + first, read.data() + read.size());
  }
  EndRuns();
  now = Now();
  std::vector<LogEntry> entries;
  std::vector<Epoch> awaited;  // first commands of the runs with a host wait for the last command
  for (size_t i = 0; i < read.size(); ++i) {
    Raw& raw = read[i];
    if (raw.open) {
      const auto length = lengths_.find({raw.entry.epoch.timeline(), raw.entry.epoch.tick()});
      if (length != lengths_.end()) {
        raw.entry.count = length->second.ended.ticks;
        raw.awaited = length->second.ended.awaited;
        lengths_.erase(length);
      } else if (i >= old) {
        pending_.push_back(raw);  // the entry that ended the run was logged during this Take()
        continue;
      }
    }
    taken_units_ += raw.entry.count;
    if (raw.awaited) awaited.push_back(raw.entry.epoch);
    entries.push_back(raw.entry);
  }
  // The entries of older lengths were overwritten; the entries of newer ones come with the next
  // Take().
  std::erase_if(lengths_, [&](const auto& of) { return of.second.take != takes_; });
  logged += ended_units_.load(std::memory_order_relaxed);
  overwritten_ = logged > taken_units_ ? logged - taken_units_ : 0;
  std::vector<uint32_t> indices(entries.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(),
                   [&](uint32_t a, uint32_t b) { return entries[a].time < entries[b].time; });
  std::vector<LogEntry> sorted;
  sorted.reserve(entries.size());
  for (uint32_t index : indices) sorted.push_back(entries[index]);
  OrderByTick(&sorted);
  GiveEnds(&sorted, now.counter, LongestBeat(now));
  AddWaits(awaited, &sorted);
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
